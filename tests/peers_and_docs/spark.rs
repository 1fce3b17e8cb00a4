//! The example for Apache Spark.

use std::path::Path;
use std::process::Command;

use crate::common::bin::{raw, skipped};

/// Returns `true` if Python has the packages of the example, and Spark its Java.
fn is_installed() -> bool {
    let python = ["-c", "import pandas, pyarrow, pyspark"];
    let succeeds = |program: &str, args: &[&str]| {
        Command::new(program).args(args).output().is_ok_and(|out| out.status.success())
    };
    succeeds("python3", &python) && succeeds("java", &["-version"])
}

#[test]
fn results_of_the_spark_job_are_those_of_one_process() {
    if !is_installed() {
        return skipped("the job for Apache Spark", "no PySpark, pandas or Java");
    }
    let program = raw().get_program().to_owned();
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folder = Path::new(&program).parent().unwrap().to_owned();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&folders)));
    let test = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/spark/test_utf8_spark.py");
    let out = Command::new("python3").arg(test).env("PATH", path.unwrap()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}
