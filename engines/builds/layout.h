// Whether headers and library mean the same bytes by RocksDB's options.
#pragma once

#include <string>

namespace waltax::builds {

// A sentence that says of which options they do not; empty where they agree.
// A library whose options are larger than the headers' writes beyond theirs,
// so that this must come before a database is opened.
std::string LayoutContradiction();

}  // namespace waltax::builds
