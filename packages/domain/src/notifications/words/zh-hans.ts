import { evidenceSentence } from '../probe-evidence.ts'
import { type EventWords, isSentence } from './event-words.ts'
import { placeName } from './place-name.ts'

const NAMESERVERS: Record<string, string> = {
  notDelegated: '注册局尚未为它登记任何域名服务器。',
  otherNameservers: '注册局登记的仍是其他域名服务器。',
  otherPair: '注册局登记的是我们的域名服务器，但不是此站点的那两台。',
  mixedNameservers: '注册局除了我们的域名服务器外，还登记了其他的。',
  parentAway: '注册局的域名服务器没有响应。',
}
const PARKED: Record<string, string> = {
  'claimed-first': '另一个账号较早申请了此名称。在其中一方证明之前，由该账号提供服务。',
  'proven-elsewhere': '另一个账号已证明持有此名称。',
  'delegated-elsewhere': '注册局登记的是我们的域名服务器，但不是此站点的那两台。',
  reserved: '另一个账号最近删除了此名称；30 天内会为该账号保留。',
  'no-proof': '28 天内未获证明。',
}

const COUNTED: Record<string, string> = {
  sites: '站点',
  records: 'DNS 记录',
  cdns: 'CDN',
  mcdn: '多 CDN 域名',
  dns: 'DNS 记录',
  dnsQuery: 'DNS 查询',
  cdnTraffic: 'CDN 流量',
  cdnRequest: 'CDN 请求',
  streamView: '流媒体观看',
  liveMinute: '直播分钟数',
  encodedMinute: '编码分钟数',
  storedMinute: '存储分钟数（按日计）',
}
/** Between Chinese before and after it, a name of Latin letters has thin spaces. */
const counted = (what: string): string =>
  (COUNTED[what] ?? what).replace(/^(?=[A-Za-z])/, '\u2009').replace(/(?<=[A-Za-z])$/, '\u2009')
const nameserverReason = (reason: string): string => NAMESERVERS[reason] ?? reason

const EVIDENCE = {
  problem: {
    reset: '连接被重置',
    refused: '连接被拒绝',
    timeout: '超时未响应',
    unreachable: '网络不可达',
    name: '找不到名称',
    tls: '证书已过期',
  },
  failed: (failed: number, checks: number, reasons: string) => `${checks} 项检查中有 ${failed} 项无法连接 (${reasons})`,
  once: '，各只有 1 个失败样本',
}

const SHIELD_PARTS: Record<string, string> = {
  'access-control': '访问控制',
  'bot-management': '机器人管理',
  'firewall-rules': '防火墙规则',
  'api-protection': ' API 防护',
  'account-takeover-prevention': '账号盗用防护',
  'crs-rules': ' CRS 规则',
}

/** Why an outside feed is left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  stopped: '它没有提交新的数据。',
  jumped: '它的大部分数据突然变化，尚未再次确认。',
  contradicts: '它的数据与访客和探测的结果不一致。',
}

const CHALLENGES: Record<string, string> = {
  human: '由真人回答的问题',
  'browser-standard': '浏览器五秒内完成的任务',
  'browser-no-delay': '浏览器的简短任务',
  none: '不再质询',
}

const VIDEO_FAILED: Readonly<Record<number, string>> = {
  30010: '文件无法读取。请导出为 H.264 与 AAC 的 MP4 后再上传。',
  30011: '画面太大或视频太长。请导出较小的版本后再上传。',
  30012: '一周内没有发送完毕。请重新上传。',
  30013: '编码器尝试多次后放弃。请重新上传，或另外导出。',
}

export const zhHans: EventWords = {
  'api-key-created': ({ by, tier }) => ({
    title: '已创建新的 API 密钥',
    text: `${by} 创建了第 ${tier} 级的 API 密钥。如果不是团队成员所为，请删除该密钥并更改此人的密码。`,
  }),
  attack: ({ domain, stopped, peak, sources, countries, category }) => ({
    title: `${domain} 正遭受攻击`,
    text: `已拦下 ${count(stopped)} 个请求，最多一分钟 ${count(peak)} 个，来自 ${count(countries)} 个国家或地区的 ${count(sources)} 个地址。`,
    cause: `主要由${SHIELD_PARTS[category] ?? category}拦下`,
    ended: `对 ${domain} 的攻击已结束`,
  }),
  'beacons-disagree': ({ cdn, place, heard, subnets, said, others }) => ({
    title: `${placeName(place)} 的信标对 ${cdn} 说法不一`,
    text: `当地信标报告 ${cdn} 中断，但探测与其他访客都显示正常，因此只影响该处的访客。如果不是当地线路故障，可能有人发送伪造的信标。`,
    cause: `${subnets} 个网段的 ${heard} 个样本：可用率 ${said}%；其他访客：${others}%`,
    ended: `${placeName(place)} 的信标对 ${cdn} 说法已一致`,
  }),
  'feed-left-out': ({ feed, state, cdn, place }) => ({
    title: `外部数据源 ${feed} 已不采用`,
    text: `${LEFT_OUT[state] ?? state}恢复正常前，决策不采用它。`,
    cause: cdn === '' || place === '' ? undefined : `${cdn}，${placeName(place)}`,
    ended: `外部数据源 ${feed} 已重新采用`,
  }),
  'backup-unproven': ({ days, problem }) => ({
    title: days === null ? '没有任何备份通过验证' : `最近一次通过验证的备份已是 ${days} 天前`,
    text: '之后的备份未通过验证，无法确定能否还原。计划任务会再做一次备份；详情请执行 ./fairway doctor。',
    cause: problem === '' ? undefined : problem,
    ended: '最新的备份已通过验证',
  }),
  'charges-held': ({ kind, hours }) => ({
    title: kind === 'clock' ? '时钟不可信：目前不会扣款' : '平台已恢复：目前不会扣款',
    text:
      kind === 'clock'
        ? `后台进程的时钟被调整过、与数据库的时钟不同，或显示经过的时间多于已统计的时间：约 ${hours} 小时。扣款、月度账单、消费上限和试用期均已暂停。请查看每台机器的时钟（timedatectl），然后在“运营总览”中确认。`
        : '扣款、月度账单和恢复之前的信件都在等待。请先在支付服务商处查看此后已扣的款项，然后在“运营总览”中确认。',
    ended: '扣款已继续',
  }),
  'backup-old': ({ days }) => ({
    title: `最近一次备份已是 ${days} 天前`,
    text: '请执行 ./fairway backup，并查明计划任务为何没有执行。',
    ended: '已有新的备份',
  }),
  'backup-log-stopped': ({ minutes, torn, problem }) => ({
    title: `最近 ${minutes} 分钟的更改不在任何备份中`,
    text: torn
      ? '备份之间的日志有缺口，下一次备份会补上：./fairway backup --incremental。'
      : '日志无法送达备份位置，位置恢复后会自动继续。./fairway doctor 有更多说明。',
    cause: problem === '' ? undefined : problem,
    ended: '日志已重新送达备份位置',
  }),
  'cdn-approved': ({ cdn, host }) => ({
    title: `${host} 已获准使用 ${cdn}`,
    text: '设置进行中，节点确认后 DNS 便会以它应答。',
  }),
  'cdn-behind': ({ cdn, host, reason }) => ({
    title: `${host} 的设置在 ${cdn} 未生效`,
    text: '它仍在响应，因此访客照旧被引导到那里。系统会自动检查，并重试失败的部分。',
    cause: reason,
    ended: `${cdn} 已按设置服务 ${host}`,
  }),
  'cdn-down': ({ cdn, evidence }) => ({
    title: `${cdn} 已中断`,
    text: `DNS 不再返回 ${cdn}，访客会改用其他 CDN，直到它恢复。`,
    cause: evidenceSentence(evidence, EVIDENCE),
    ended: `${cdn} 已恢复`,
  }),
  'cdn-failed': ({ cdn, host, reason }) => ({
    title: `无法为 ${host} 设置 ${cdn}`,
    text: '访客不会被引导到那里。系统会自动重试。',
    cause: reason,
    ended: `${cdn} 正在服务 ${host}`,
  }),
  'cdn-refused': ({ cdn, host, reason }) => ({
    title: `${host} 未获准使用 ${cdn}`,
    text: '请按原因调整后重新申请，或将其卸载。',
    cause: reason,
  }),
  'challenge-softened': ({ domain, rule, mode, softer, people, gaveUp }) => ({
    title: `${domain} 的一项质询已放宽`,
    text: `${rule === '' ? '安全级别' : `“${rule}”`}的质询中，${count(people)} 个访客网络有 ${count(gaveUp)} 个放弃。现由“${CHALLENGES[mode] ?? mode}”改为“${CHALLENGES[softer] ?? softer}”。出现攻击迹象时会自动恢复。`,
    ended: `${domain} 的质询已恢复原设置`,
  }),
  'certificate-expiring': ({ host, days }) => ({
    title: `${host} 的证书将在 ${days} 天后到期`,
    text: '请在到期前续期或更换，否则浏览器会向访客显示警告。',
    ended: `${host} 的证书已续期`,
  }),
  'certificate-failed': ({ host, reason }) => ({
    title: `${host} 没有证书`,
    text: '无法签发证书。系统会自动重试。',
    cause: reason,
    ended: `${host} 已获得证书`,
  }),
  'certificate-issued': ({ host }) => ({ title: `${host} 已获得证书`, text: '所有边缘节点均已启用。' }),
  'certificate-revoked': ({ host }) => ({
    title: `${host} 的证书已被吊销`,
    text: '证书颁发机构已吊销此证书，浏览器可能会拒绝。请上传或申请新的证书。',
  }),
  'console-certificate-failed': ({ host, until, reason }) => ({
    title: `控制台未取得 ${host} 的新证书`,
    text:
      until === ''
        ? '目前还没有证书，浏览器无法通过 TLS 连接。系统会自动重新申请。'
        : `原有证书可用至 ${until}。系统会自动重新申请。`,
    cause: reason,
    ended: `控制台已取得 ${host} 的证书`,
  }),
  'stream-certificate-failed': ({ host, until, reason }) => ({
    title: `视频未取得 ${host} 的新证书`,
    text:
      until === ''
        ? '目前还没有证书，视频经未加密的 HTTP 提供。系统会自动重新申请。'
        : `原有证书可用至 ${until}，之后视频经未加密的 HTTP 提供。系统会自动重新申请。`,
    cause: reason,
    ended: `视频已取得 ${host} 的证书`,
  }),
  'deployment-refused': ({ site, node, version, reason }) => ({
    title: `${node} 拒绝了 ${site} 的更改`,
    text: `版本 ${version} 未在该节点生效，节点继续使用上一个正常版本。`,
    cause: reason,
    ended: `${node} 已使用 ${site} 的最新版本`,
  }),
  'disk-full': ({ machine, free }) => ({
    title: `${machine} 的磁盘已满`,
    text: `仅剩 ${free}。该机器上的 API 在有空间之前拒绝更改；已提供的服务不受影响。请立即释放空间。`,
    ended: `${machine} 的磁盘可再次接受更改`,
  }),
  'disk-low': ({ machine, free, percent }) => ({
    title: `${machine} 的磁盘空间即将用尽`,
    text: `仅剩 ${free}（${percent}%）。请释放空间或扩充磁盘，以免上传、测量与更改无处存放。`,
    ended: `${machine} 的磁盘已有足够空间`,
  }),
  'disk-scarce': ({ machine, free }) => ({
    title: `${machine} 的磁盘几乎已满`,
    text: `仅剩 ${free}。该处的上传、转码、新直播、测量样本与请求日志已停止。接下来会拒绝更改。`,
    ended: `${machine} 上停止的工作已恢复`,
  }),
  'invite-accepted': ({ name, email }) => ({ title: `${name} 已加入`, text: `${email} 已接受邀请，现在可以登录。` }),
  'invite-declined': ({ email, why }) => ({
    title: `${email} 谢绝了你的邀请`,
    text:
      why === 'has-account'
        ? '此地址在另一个组织已有账号，而每个地址只能有一个账号。请改用另一个地址邀请。'
        : '未创建账号。',
  }),
  'invoice-posted': ({ number, amount, dueOn }) => ({
    title: `账单 ${number}`,
    text: `${amount}，付款期限 ${dueOn}。`,
  }),
  'live-idle': ({ stream, hours }) => ({
    title: `没有信号送到 ${stream}`,
    text: `转码器已开启 ${hours} 小时，却没有信号，时间照常计费。需要时再开启即可。`,
    ended: `${stream} 已有信号，或已关闭`,
  }),
  'live-input-lost': ({ stream }) => ({
    title: `${stream} 的信号中断`,
    text: '观众停在最后的画面。若在半分钟内恢复，直播会继续；超过后，直播对观众即结束。',
    ended: `${stream} 的信号已恢复，或直播已结束`,
  }),
  'live-not-recorded': ({ stream, reason }) => ({
    title: `${stream} 未被录制`,
    text:
      reason === 'disk-full'
        ? '录制所在机器的磁盘已满。直播本身继续进行。'
        : '你的组织的视频与直播数量已达上限。请删除一个，再将录制关闭并重新开启。',
  }),
  'live-problem': ({ stream, problem }) => ({
    title: `${stream} 无法编码`,
    text: '观众看不到新的内容。直播的页面说明发送端要改什么。',
    ...(isSentence(problem) ? { cause: problem } : {}),
    ended: `${stream} 已恢复编码，或已关闭`,
  }),
  'live-recorded': ({ stream, video }) => ({
    title: `${stream} 已录制`,
    text: `录像已在视频中，名称为 ${video}。`,
  }),
  'live-recording-cut': ({ stream, video }) => ({
    title: `${stream} 的录制提前结束`,
    text: `录制所在机器的磁盘已满。已保留的部分在视频中，名称为 ${video}；直播本身继续进行。`,
  }),
  'live-stopped': ({ stream, streams }) => ({
    title: streams === 1 ? `${stream} 已被关闭` : `${stream} 等 ${streams} 个直播已被关闭`,
    text: '服务已停止：达到消费上限、试用期结束、账号锁定或停用。恢复服务后直播仍会保持关闭，请把需要的重新打开。',
  }),
  'live-unwatched': ({ stream, minutes }) => ({
    title: `没有人观看 ${stream}`,
    text: `直播正在进行，但已有 ${minutes} 分钟没有观众请求播放。请查看播放它的网页是否正常；时间照常计费。`,
    ended: `${stream} 有人观看，或已不再直播`,
  }),
  'looked-on': ({ by }) => ({
    title: `${by} 正在查看你的账号`,
    text: '对方以你的身份登录，最多一小时。其所做的更改会在审计日志中注明。如果你没有请求协助，请联系客服。',
  }),
  'mail-failing': ({ problem }) => ({
    title: '邮件无法发出',
    text: '邮件会等待并重试。请检查设置中的邮件服务器。',
    cause: problem,
    ended: '邮件已恢复发送',
  }),
  'sign-in-added': ({ way, name, ip }) => ({
    title: way === 'passkey' ? '你的账号添加了通行密钥' : '你的账号已关联 Google 账号',
    text: `从现在起，${name} 也能以你的身份登录。如果不是你本人所为，请立即移除并更改密码。`,
    cause: `添加来源：${ip}`,
  }),
  'address-changed': ({ from, to, ip }) => ({
    title: '你的邮箱地址已更改',
    text: `从现在起请用 ${to} 登录，不再使用 ${from}。如果不是你本人所为，请改回并设置新密码。`,
    cause: `更改来源：${ip}`,
  }),
  'mfa-changed': ({ on, ip }) => ({
    title: on ? '两步登录已开启' : '两步登录已关闭',
    text: on ? '登录时会要求输入验证器应用的代码。' : '登录时只需要密码。',
    cause: `更改来源：${ip}`,
  }),
  'name-parked': ({ site, reason }) => ({
    title: `${site} 未提供服务`,
    text: '请证明此名称属于你：设置它的两台域名服务器，或添加站点所示的 TXT 记录。一经看到即开始服务。',
    cause: PARKED[reason] ?? reason,
    ended: `${site} 已提供服务`,
  }),
  'name-proven': ({ site }) => ({
    title: `已证明 ${site} 属于你`,
    text: '其他人若未重新证明，无法取得此名称。',
  }),
  'name-removed': ({ site }) => ({
    title: `${site} 已移除`,
    text: '此名称未获证明，站点已保留 30 天。当你能证明此名称时，随时可以再次添加。',
  }),
  'nameservers-failed': ({ site, reason }) => ({
    title: `${site} 尚未使用我们的域名服务器`,
    text: '十分钟内未能找到。我们会每小时继续检查一次。',
    cause: nameserverReason(reason),
    ended: `${site} 已使用我们的域名服务器`,
  }),
  'nameservers-lost': ({ site, reason }) => ({
    title: `${site} 不再使用我们的域名服务器`,
    text: '访客目前由其他服务器应答。在恢复之前，你在此所做的更改不会生效。',
    cause: nameserverReason(reason),
    ended: `${site} 已重新使用我们的域名服务器`,
  }),
  'nameservers-verified': ({ site }) => ({
    title: `${site} 已使用我们的域名服务器`,
    text: '从现在起，所有访客都由这里应答。',
  }),
  'node-away': ({ node, role, seconds }) => ({
    title: `节点 ${node} 失去联系`,
    text: `${role} 节点已 ${seconds} 秒没有上报。其他节点继续服务。`,
    ended: `节点 ${node} 已恢复`,
  }),
  'origin-down': ({ host, origin, failed, asked, isSilent }) => ({
    title: `${host} 的源站没有响应`,
    text: `无法连接到 ${origin}。缓存中的内容仍会继续提供。`,
    cause: `两分钟内的 ${asked} 个请求中，有 ${failed} 个${isSilent ? '没有得到响应' : '无法建立连接'}`,
    ended: `${host} 的源站已恢复响应`,
  }),
  'organization-closing': ({ organization, on, by }) => ({
    title: `${organization} 将于 ${on} 关闭`,
    text: `${by} 要关闭组织，包括所有网站、视频、密钥和账号。在那之前一切照常服务，所有者可以保留组织。`,
    ended: `${organization} 不会关闭`,
  }),
  'organization-exported': ({ organization, ip }) => ({
    title: `${organization} 的全部数据已导出`,
    text: '导出使用了你的账号。如果不是你本人，请立即更改密码并退出所有会话。',
    cause: `导出来自 ${ip}`,
  }),
  'owner-changed': ({ from, to }) => ({
    title: `${to} 现在是组织的所有者`,
    text: from === '' ? '此前没有所有者。' : `此前的所有者 ${from} 现在是管理员。`,
  }),
  'password-changed': ({ ip }) => ({
    title: '你的密码已更改',
    text: '如果不是你本人所为，请立即重置密码并在所有设备上退出登录。',
    cause: `更改来源：${ip}`,
  }),
  'payment-failed': ({ amount, reason }) => ({
    title: '付款失败',
    text: `无法收取 ${amount}。请检查信用卡，以免站点受到限制。`,
    cause: reason,
    ended: '已收到付款',
  }),
  'peers-stopped': ({ stream, withPeers, without }) => ({
    title: `${stream} 已停用对等分发`,
    text: `互传分片的观众有 ${withPeers} % 的时间在等待，未互传的观众为 ${without} %。在你再次开启之前，全部内容都由 CDN 提供。`,
  }),
  'plan-set': ({ plan, before }) => ({
    title: `你的套餐现在是 ${plan}`,
    text: `服务运营方已将套餐由 ${before} 更改。已付款月份的剩余费用已转为抵扣金。`,
  }),
  'purge-failed': ({ site, cdn, code, reason }) => ({
    title: `${cdn} 上清除 ${site} 的缓存失败`,
    text: '那里的访客可能仍会看到旧内容。',
    cause:
      code === 'still-old'
        ? `通知三次之后，${reason} 的旧内容仍然存在`
        : code === 'silent'
          ? '检查时它没有响应'
          : reason,
    ended: `${cdn} 上 ${site} 的缓存清除已恢复正常`,
  }),
  'quota-near': ({ what, of, used, limit }) => ({
    title: `${of === null ? '' : `${of} 的`}${counted(what)}额度${used >= limit ? '已用完' : '即将用完'}`,
    text: `套餐包含 ${count(limit)}，已使用 ${count(used)}。`,
    ended: `${of === null ? '' : `${of} 的`}${counted(what)}已有剩余额度`,
  }),
  'review-waiting': ({ cdn, host, organization }) => ({
    title: `${host} 等待你审查`,
    text: `${organization} 希望由 ${cdn} 提供服务。`,
    ended: `${host} 已审查`,
  }),
  'spending-capped': ({ cap, spent }) => ({
    title: '已达到支出上限',
    text: `已支出 ${spent}，上限 ${cap}。额外计费的项目将停用，直到下个月或提高上限。`,
  }),
  'spending-near': ({ cap, spent }) => ({ title: '即将达到支出上限', text: `本月已支出 ${spent}，上限 ${cap}。` }),
  'ticket-answered': ({ ticket, subject }) => ({ title: `工单 ${ticket} 已有回复`, text: subject }),
  'ticket-opened': ({ ticket, subject, organization }) => ({
    title: `${organization} 的工单 ${ticket} 等待回复`,
    text: subject,
    ended: `${organization} 的工单 ${ticket} 不再等待回复`,
  }),
  'video-failed': ({ video, code, reason }) => ({
    title: `${video} 无法制成可播放的视频`,
    text: VIDEO_FAILED[code] ?? '请重新上传，或另外导出为 H.264 与 AAC 的 MP4。',
    ...(reason === '' ? {} : { cause: reason }),
    ended: `${video} 已被替换、删除，或重新处理中`,
  }),
  'webhook-disabled': ({ url, reason }) => ({
    title: '一个 Webhook 已停用',
    text: url,
    cause: reason === 'gone' ? '接收端回复它已不存在（410）。' : '已有五天没有任何一次送达。',
  }),
  'white-label-leaks': ({ partner, names }) => ({
    title: `${partner} 的客户会看到本平台的名称`,
    text: `他们会看到 ${names}。合作伙伴页面列出了还缺少的 DNS 记录。`,
    ended: `${partner} 的新客户只会看到它自己的名称`,
  }),
  'white-label-lost': ({ partner, name, seen }) => ({
    title: `${partner} 的一条 DNS 记录不再正确`,
    text: `${name}：${seen || '没有任何内容'}。恢复之前，新客户使用本平台的名称；已使用合作伙伴名称的客户保持不变。`,
    ended: `${partner} 的 DNS 记录已恢复正确`,
  }),
}

const numbers = new Intl.NumberFormat('zh-Hans')
const count = (value: number): string => numbers.format(value)
