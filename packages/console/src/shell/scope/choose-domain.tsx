import { DomainChoice } from '../../features/guide/domain-choice.tsx'
import { Card } from '../../ui/page/card.tsx'
import { hrefOf } from '../nav/navigation.ts'
import { useScope } from './scope.ts'
import { useAccount } from '../access/session.ts'

type ChooseDomainProps = {
  /** What is done here for one domain, in one sentence. */ title: string
  /** Full path of the screen to go on to. */ to: string
}

/** The guide of screens that are about one domain while none is chosen. */
export function ChooseDomain({ title, to }: ChooseDomainProps) {
  const { site } = useScope()
  const user = useAccount()
  return (
    <Card>
      <DomainChoice
        site={site}
        title={title}
        hrefOf={(domain) => hrefOf({ key: '', to }, user, { site: site.domainName, domain })}
      />
    </Card>
  )
}
