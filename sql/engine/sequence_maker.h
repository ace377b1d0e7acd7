// sql/engine/sequence_maker.h: turns CREATE SEQUENCE into the sequence's definition.
//
// Threads: functions. Source: CreateSequenceCompiler (5.2).
#pragma once

#include "absl/status/statusor.h"
#include "sql/catalog/sequences.h"
#include "sql/engine/query.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns Phoenix's error for a value that is not a whole number, or not within the limits.
absl::StatusOr<SequenceDef> MakeSequence(const QuerySource& source, const CreateSequence& create);

}  // namespace vaquita::sql
