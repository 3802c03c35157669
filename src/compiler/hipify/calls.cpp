// SPDX-License-Identifier: MIT
// Calls whose arguments differ between CUDA and HIP (rows/arguments.tsv). Handled at the closing parenthesis, when all edits
// inside the arguments exist.
#include "compiler/hipify/walker.h"
#include <charconv>

namespace pumice::hipify {

void Walker::open_call(size_t name, const NameRow&) {
  size_t open = name + 1;
  if (tokens_[open].match <= int32_t(open))
    return;
  size_t close = size_t(tokens_[open].match);
  constexpr size_t kDeepest = 64;
  if (calls_.size() >= kDeepest || (!calls_.empty() && close > calls_.back().close))
    return; // brackets of different branches crossed
  calls_.push_back({name, open, close, edits_.size()});
}

void Walker::close_call(const Call& call) {
  const NameRow& row = tables_.name(tokens_[call.name].row);
  std::vector<Argument> args = arguments(call.open, call.close);
  auto begin = [&](size_t a) { return tokens_[args[a].first].begin; };
  auto end = [&](size_t a) { return tokens_[args[a].last - 1].end; };
  bool roc = options_.libraries == Libraries::roc ||
             (row.library == "cuDNN" && options_.miopen);
  bool parameters = args.size() >= 1 && args[0].last - args[0].first >= 2 &&
                    is_identifier(args[0].first) && is_identifier(args[0].last - 1) &&
                    !is(args[0].last - 2, scope) && !is(args[0].last - 2, '.') &&
                    !is(args[0].last - 2, arrow) && !is(args[0].last - 2, '(') &&
                    scopes_.back().kind != ScopeKind::function &&
                    scopes_.back().kind != ScopeKind::block;
  if (parameters)
    return; // a declaration of that name, not a call
  for (const Argument& a : args)
    if (a.first >= a.last)
      return; // an empty argument: a macro's work
  // `__VA_ARGS__` or a parameter pack: positions are not known.
  for (const Argument& a : args)
    if (is_identifier(a.first) && spelling(a.first) == "__VA_ARGS__")
      return;
  ++statistics_.calls;
  size_t count = args.size(); // with what was put behind the last argument

  for (size_t r = size_t(row.arguments);
       r < tables_.arguments().size() && tables_.arguments()[r].function == row.cuda; ++r) {
    const ArgumentRow& rule = tables_.arguments()[r];
    if ((rule.target == ArgumentTarget::roc) != roc)
      continue;
    size_t at = rule.index;
    switch (rule.action) {
    case ArgumentAction::wrap:
    case ArgumentAction::cast: {
      if (at >= args.size())
        break;
      std::string open = rule.action == ArgumentAction::wrap
                             ? std::string(rule.text) + "("
                             : "reinterpret_cast<" + std::string(rule.text) + ">(";
      edits_.insert(begin(at), open);
      edits_.insert(end(at), ")");
      break;
    }
    case ArgumentAction::insert:
      if (at < args.size())
        edits_.insert(begin(at), std::string(rule.text) + ", ");
      else if (at >= count && count > 0) {
        edits_.insert(end(args.size() - 1), ", " + std::string(rule.text));
        ++count;
      }
      break;
    case ArgumentAction::append:
      if (at == args.size() && at > 0)
        edits_.insert(end(at - 1), ", " + std::string(rule.text));
      break;
    case ArgumentAction::replace:
      if (at < args.size()) {
        edits_.discard(begin(at), end(at), call.first_edit);
        edits_.replace(begin(at), end(at), std::string(rule.text));
      }
      break;
    case ArgumentAction::rename:
      if (at == args.size())
        edits_.replace(tokens_[call.name].begin, tokens_[call.name].end, std::string(rule.text), true);
      break;
    case ArgumentAction::order: {
      std::vector<size_t> order;
      size_t most = 0;
      for (const char *p = rule.text.data(), *last = p + rule.text.size(); p < last;) {
        size_t n = 0;
        p = std::from_chars(p, last, n).ptr;
        order.push_back(n);
        most = std::max(most, n);
        while (p < last && *p == ' ')
          ++p;
      }
      if (most >= args.size()) {
        report(call.name, "A008",
               std::string(row.cuda) + " has another number of arguments than expected; they were kept");
        break;
      }
      std::vector<std::string> texts;
      for (size_t a = 0; a < args.size(); ++a)
        texts.push_back(edits_.render(text_, begin(a), end(a), call.first_edit));
      std::string all;
      for (size_t n = 0; n < order.size(); ++n)
        all += (n ? ", " : "") + texts[order[n]];
      uint32_t first = begin(0), last = end(args.size() - 1);
      edits_.discard(first, last, call.first_edit);
      edits_.replace(first, last, all);
      if (rule.loses)
        report(call.name, "A008", std::string(row.cuda) + ": an argument was dropped");
      break;
    }
    }
  }
}

} // namespace pumice::hipify
