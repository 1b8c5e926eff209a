// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Do Rust and C mean the same by every constant, size and offset, and is every
// function there? A C program, compiled against the headers, prints what it
// makes of them (abi.c), and Rust compares (abi/table.rs); both are generated.

#[path = "abi/table.rs"]
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("starts");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// What C says: name and value of each constant, size, alignment and offset.
fn from_c() -> BTreeMap<String, String> {
    let flags = run(Command::new("pkg-config").args(["--cflags", "gstreamer-hip-1.0"]));
    let flags = String::from_utf8(flags.stdout).unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abi");
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    run(Command::new(compiler)
        .arg("-std=gnu11")
        .args(
            std::env::var("CFLAGS")
                .unwrap_or_default()
                .split_whitespace(),
        )
        .args(flags.split_whitespace())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi.c"))
        .arg("-o")
        .arg(&program));
    String::from_utf8(run(&mut Command::new(&program)).stdout)
        .unwrap()
        .lines()
        .map(|line| line.split_once(' ').expect("name and value"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn constants_sizes_and_offsets_are_those_of_c() {
    let c = from_c();
    let rust: BTreeMap<String, String> = table::numbers()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_string()))
        .chain(
            table::texts()
                .into_iter()
                .map(|(name, text)| (name.to_owned(), text.to_str().unwrap().to_owned())),
        )
        .collect();
    assert!(rust.len() > 200, "only {} values", rust.len());
    for (name, value) in &rust {
        assert_eq!(c.get(name), Some(value), "{name}");
    }
    assert_eq!(c.len(), rust.len());
}

fn library_file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gst-libs/gst/hip");
    std::fs::read_to_string(folder.join(name)).expect(name)
}

#[test]
fn functions_are_those_that_the_library_exports() {
    let list = library_file("gsthip-1.0.symbols");
    let exported: BTreeSet<_> = list
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    let functions = table::functions();
    let ours: BTreeSet<_> = functions.iter().map(|(name, _)| *name).collect();
    let unknown: Vec<_> = ours.difference(&exported).collect();
    assert!(unknown.is_empty(), "not exported: {unknown:?}");
    // Functions for programs with HIP's own headers cannot be described without these.
    let native = library_file("hip-gst.h");
    let missing: Vec<_> = exported
        .difference(&ours)
        .filter(|name| !native.contains(name.trim_end_matches("R0600")))
        .collect();
    assert!(missing.is_empty(), "not bound: {missing:?}");
    assert!(ours.len() > 100, "only {} functions", ours.len());
    // That all of them link is shown by their addresses being here.
    assert!(functions.iter().all(|(_, address)| !address.is_null()));
}
