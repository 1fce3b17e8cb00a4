# Homebrew formula. The release sets the address and the checksum of the source archive.
class Utf8 < Formula
  desc "Validate, convert, dump, repair and detect text encodings"
  homepage "https://example.org/utf8"
  url "https://example.org/utf8/releases/utf8-0.2.0.tar.gz"
  sha256 "SHA256 of the archive, from SHA256SUMS"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    man1.install Dir["man/*.1"]
    man7.install Dir["man/*.7"]
    bash_completion.install "completions/utf8.bash" => "utf8"
    fish_completion.install "completions/utf8.fish"
    zsh_completion.install "completions/_utf8"
  end

  test do
    assert_match "overlong-2", shell_output("#{bin}/utf8 validate -xe 'C0 AF'", 1)
  end
end
