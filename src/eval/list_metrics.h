// Metrics of one list, each the exact expectation over random orders of equal scores.
#pragma once

#include "eval/metric.h"
#include "eval/ranking.h"

namespace equipoise {

// A constant scorer gets what a random order gets on average. All are of lists with a relevant item; docs/metrics.md
// has the formulas.

double ndcg(const RankedList& list);
double recall(const RankedList& list);
double precision(const RankedList& list);
double hit_rate(const RankedList& list);
double reciprocal_rank(const RankedList& list);
double average_precision(const RankedList& list);
/// NaN without a negative.
double list_auc(const RankedList& list);
/// How many positive-negative pairs that is over: positives times negatives.
double list_auc_pairs(const RankedList& list);

/// The metric's value of a list; NaN where the list has no relevant item.
double value_of(const OfList& metric, const RankedList& list);

}  // namespace equipoise
