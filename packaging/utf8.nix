# nix-build -E '(import <nixpkgs> {}).callPackage ./packaging/utf8.nix {}'
{ lib, rustPlatform, installShellFiles }:

rustPlatform.buildRustPackage {
  pname = "utf8";
  version = "0.2.0";
  src = lib.cleanSource ../.;
  cargoLock.lockFile = ../Cargo.lock;
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
