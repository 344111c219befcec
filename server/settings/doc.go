// Package settings serves what an administrator changes for everybody while the server runs: the language model, and
// which tools are switched off. What is chosen outlives the process; what the settings file or the environment say
// comes first.
package settings
