# nix-build -E '(import <nixpkgs> {}).callPackage ./packaging/utf8.nix {}'
# The release sets the address and the hashes: of the source archive, and of the crates, which nix-build prints.
{ lib, fetchurl, rustPlatform, installShellFiles }:

rustPlatform.buildRustPackage rec {
  pname = "utf8";
  version = "0.2.0";
  src = fetchurl {
    url = "https://example.org/utf8/releases/utf8-${version}.tar.gz";
    hash = lib.fakeHash;
  };
  cargoHash = lib.fakeHash;
  nativeBuildInputs = [ installShellFiles ];
  # The tests compare with programs that a build does not have.
  doCheck = false;
  postInstall = ''
    installManPage man/*
    installShellCompletion --cmd utf8 --bash completions/utf8.bash --fish completions/utf8.fish --zsh completions/_utf8
  '';
  meta = {
    description = "Validate, convert, dump, repair and detect text encodings";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "utf8";
  };
}
