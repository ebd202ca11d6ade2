import { steeringCases } from '@fairway/contract'
import { caseProblems, decideCase } from '@fairway/domain'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'

export const steeringCasesSlice = slice(steeringCases, {
  async decide({ now }, given) {
    const fields = caseProblems(given)
    if (fields.length > 0) throw new Failure(400, { fields })
    return decideCase(given, now.getTime())
  },
})
