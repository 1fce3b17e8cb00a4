"""The packages whose code is in the binary, from `cargo metadata`."""

import json
import subprocess

METADATA = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-musl"]


def read():
    """Returns the id of the root, all packages by id, and the ids that each one of the binary depends on."""
    data = json.loads(subprocess.check_output(METADATA))
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    root = data["resolve"]["root"]
    return root, packages, {key: sorted(needed(nodes[key])) for key in reach(nodes, root)}


def needed(node):
    """Returns the packages that are part of the binary: neither of tests nor of the build."""
    return [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]


def reach(nodes, root):
    found, open_ = set(), [root]
    while open_:
        key = open_.pop()
        if key not in found:
            found.add(key)
            open_ += needed(nodes[key])
    return found
