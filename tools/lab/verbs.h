// tools/lab/verbs.h: the verbs of `vaquita lab`. Each function adds its verb to the command.
#pragma once

namespace vaquita {

class LabCommand;

void AddAdviseCommand(LabCommand* lab);    // finds problems of a row key, and proposes other designs
void AddCompareCommand(LabCommand* lab);   // compares designs side by side, simulated and measured
void AddEmulateCommand(LabCommand* lab);   // emulates HBase's servers under a design's load
void AddExamplesCommand(LabCommand* lab);  // lists or runs the built-in examples
void AddKeyCommand(LabCommand* lab);       // prints and explains the keys of a design
void AddSimulateCommand(LabCommand* lab);  // shows which regions the requests of a design go to
void AddSplitsCommand(LabCommand* lab);    // writes split keys as a file, a shell command or source code
void AddWatchCommand(LabCommand* lab);     // draws the requests of a running cluster as a moving heat map

}  // namespace vaquita
