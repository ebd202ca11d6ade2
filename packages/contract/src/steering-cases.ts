import { feature, post } from './route.ts'
import { SteeringCase } from './steering-case.ts'
import { Decision } from './steering.ts'

export const steeringCases = feature('steering-cases', {
  decide: post('/decisive/v2/decide/', {
    in: SteeringCase,
    out: Decision,
    permission: 'ViewPerformancePolicy',
    errors: [],
    audit: null,
    changes: [],
    summary:
      'Decides a case that brings everything along: strategies, VSR rules, settings, scores, CDNs, the visitor and the choice before. Nothing of a site is read.',
  }),
})
