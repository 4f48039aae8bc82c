//! What is written over, and what is not; and folders that are no projects.

mod common;

use common::{Project, request, system};
use rdma_rtl_project::{MARK, check, project, write};
use std::path::Path;

#[test]
fn a_project_is_written_anew_and_what_is_gone_goes() {
    let old = Project::new(&request("endpoint", 512, system("u280")));
    let (files, about) = project(&request("receive_endpoint", 512, system("u50"))).unwrap();
    write(&old.path, &files, &about).unwrap();
    assert!(!old.path.join("rtl/endpoint/endpoint.v").exists() && old.path.join("rtl/receive_endpoint/receive_endpoint.v").exists());
    // What Vivado has written stays.
    std::fs::create_dir_all(old.path.join("build")).unwrap();
    std::fs::write(old.path.join("build/system.bit"), "bits").unwrap();
    write(&old.path, &files, &about).unwrap();
    assert!(old.path.join("build/system.bit").exists());
}

#[test]
fn work_of_others_is_left_alone() {
    let refused = |folder: &Path, says: &str| {
        let (files, about) = project(&request("endpoint", 512, system("u50"))).unwrap();
        let error = write(folder, &files, &about).unwrap_err();
        assert!(error.is_call() && error.to_string().contains(says) && !error.to_string().contains('\n'), "{error}");
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    refused(folder.path(), "is not empty and no project of ours");
    refused(&folder.path().join("thesis.tex"), "is a file");
    for mark in ["", "{", "[]", "7"] {
        std::fs::write(folder.path().join(MARK), mark).unwrap();
        refused(folder.path(), MARK);
    }
    let project = Project::new(&request("endpoint", 512, system("u50")));
    project.change("system.tcl", "FIFO_DEPTH 512", "FIFO_DEPTH 1024");
    refused(&project.path, "system.tcl was changed by hand");
    std::fs::remove_file(project.path.join("system.tcl")).unwrap();
    let (files, about) = rdma_rtl_project::project(&request("endpoint", 512, system("u50"))).unwrap();
    write(&project.path, &files, &about).unwrap();
}

#[test]
fn a_mark_cannot_reach_out_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("p"), folder.path().join("outside"));
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(&outside, "a").unwrap();
    // The sum of "a", so that it would pass for a file of ours.
    let sum = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    std::fs::write(inside.join(MARK), format!("{{\"files\": {{\"../outside\": \"{sum}\"}}}}")).unwrap();
    let (files, about) = project(&request("endpoint", 512, system("u50"))).unwrap();
    write(&inside, &files, &about).unwrap();
    assert!(outside.exists());
}

#[test]
fn a_check_needs_a_project() {
    let says = |folder: &Path| check(folder, Path::new("tclsh")).unwrap_err().to_string();
    let folder = tempfile::tempdir().unwrap();
    assert!(says(folder.path()).contains("`rdma-rtl project --out` writes a project"));
    assert!(says(&folder.path().join("nothing")).contains(MARK));
    for mark in ["{}", "{\"block\": \"a\"}", "{\"block\": 7, \"profile\": \"x\"}"] {
        std::fs::write(folder.path().join(MARK), mark).unwrap();
        assert!(says(folder.path()).contains("no `block`"), "{mark}");
    }
    let project = Project::new(&request("endpoint", 512, system("u50")));
    let error = check(&project.path, Path::new("no/such/tclsh")).unwrap_err();
    assert!(!error.is_call() && error.to_string().contains("cannot run no/such/tclsh"), "{error}");
    assert!(check(&project.path, Path::new("true")).unwrap_err().to_string().contains("ended early"));
    project.change(MARK, "\"xcu50-fsvh2104-2-e\"", "\"[exit]\"");
    assert!(says(&project.path).contains("no sound `parts`"));
}
