// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Finds the library with pkg-config. Documentation is made without it.

fn main() {
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Err(error) = system_deps::Config::new().probe() {
        println!("cargo:warning={error}");
        std::process::exit(1);
    }
}
