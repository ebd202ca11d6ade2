-- Who changes a customer's plan has chosen it for them.
GRANT UPDATE (plan_chosen_at) ON organization TO fairway_partner;
