/** Whether something goes with a plan: no plans named are all. */
export const canBeOnPlan = (planIds: readonly string[], planId: string): boolean =>
  planIds.length === 0 || planIds.includes(planId)
