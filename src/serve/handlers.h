// What answers each route; the table of routes names these.
#pragma once

#include "serve/routes.h"

namespace equipoise {

void recommend_user(Service& service, Call call);
void recommend_many(Service& service, Call call);
void score_pairs(Service& service, Call call);
void similar_to(Service& service, Call call);
void take_feedback(Service& service, Call call);
void list_models(Service& service, Call call);
void show_model(Service& service, Call call);
void reload_model(Service& service, Call call);
void show_value(Service& service, Call call);
void compute_value(Service& service, Call call);
void find_users(Service& service, Call call);
void find_items(Service& service, Call call);
void show_health(Service& service, Call call);
void show_readiness(Service& service, Call call);
void show_metrics(Service& service, Call call);
void show_openapi(Service& service, Call call);
void show_page(Service& service, Call call);

}  // namespace equipoise
