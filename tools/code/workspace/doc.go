// Package workspace keeps indexes of folders and of git revisions: it makes one when an owner asks for it, watches the
// files, brings it up to date, and shares it among owners and processes. Workspaces is all of them, Workspace is one as
// its owner sees it, View what it holds at one moment. Indexes lie in files below Options.Dir and outlive the process.
//
// What files are listed is package scan's, what is read out of one package parse's, what can be asked package index's.
package workspace
