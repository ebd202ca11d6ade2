import { evidenceSentence } from '../probe-evidence.ts'
import { type EventWords, isSentence } from './event-words.ts'
import { placeName } from './place-name.ts'

const NAMESERVERS: Record<string, string> = {
  notDelegated: '註冊管理機構尚未為它登記任何名稱伺服器。',
  otherNameservers: '註冊管理機構登記的仍是其他名稱伺服器。',
  otherPair: '註冊管理機構登記的是我們的名稱伺服器，但不是此站點的那兩部。',
  mixedNameservers: '註冊管理機構除了我們的名稱伺服器外，還登記了其他的。',
  parentAway: '註冊管理機構的名稱伺服器沒有回應。',
}
const PARKED: Record<string, string> = {
  'claimed-first': '另一個帳號較早申請此名稱。在其中一方證明之前，由該帳號提供服務。',
  'proven-elsewhere': '另一個帳號已證明持有此名稱。',
  'delegated-elsewhere': '註冊管理機構登記的是我們的名稱伺服器，但不是此站點的那兩部。',
  reserved: '另一個帳號最近刪除了此名稱；30 天內會為該帳號保留。',
  'no-proof': '28 天內未獲證明。',
}

const COUNTED: Record<string, string> = {
  sites: '網站',
  records: 'DNS 記錄',
  cdns: 'CDN',
  mcdn: '多 CDN 網域',
  dns: 'DNS 記錄',
  dnsQuery: 'DNS 查詢',
  cdnTraffic: 'CDN 流量',
  cdnRequest: 'CDN 請求',
  streamView: '串流觀看',
  liveMinute: '直播分鐘數',
  encodedMinute: '編碼分鐘數',
  storedMinute: '儲存分鐘數（逐日計）',
}
/** Between Chinese before and after it, a name of Latin letters has thin spaces. */
const counted = (what: string): string =>
  (COUNTED[what] ?? what).replace(/^(?=[A-Za-z])/, '\u2009').replace(/(?<=[A-Za-z])$/, '\u2009')
const nameserverReason = (reason: string): string => NAMESERVERS[reason] ?? reason

const EVIDENCE = {
  problem: {
    reset: '連線被重設',
    refused: '連線被拒絕',
    timeout: '逾時未回應',
    unreachable: '網路無法到達',
    name: '找不到名稱',
    tls: '憑證已過期',
  },
  failed: (failed: number, checks: number, reasons: string) => `${checks} 項檢查中有 ${failed} 項無法連線 (${reasons})`,
  once: '，各只有 1 個失敗樣本',
}

const SHIELD_PARTS: Record<string, string> = {
  'access-control': '存取控制',
  'bot-management': '機器人管理',
  'firewall-rules': '防火牆規則',
  'api-protection': ' API 防護',
  'account-takeover-prevention': '帳號盜用防護',
  'crs-rules': ' CRS 規則',
}

/** Why an outside feed is left out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  stopped: '它沒有提交新的資料。',
  jumped: '它的大部分資料突然變化，尚未再次確認。',
  contradicts: '它的資料與訪客和探測的結果不一致。',
}

const CHALLENGES: Record<string, string> = {
  human: '由真人回答的問題',
  'browser-standard': '瀏覽器五秒內完成的任務',
  'browser-no-delay': '瀏覽器的簡短任務',
  none: '不再質詢',
}

const VIDEO_FAILED: Readonly<Record<number, string>> = {
  30010: '檔案無法讀取。請匯出為 H.264 與 AAC 的 MP4 後再上傳。',
  30011: '畫面太大或影片太長。請匯出較小的版本後再上傳。',
  30012: '一週內沒有傳送完畢。請重新上傳。',
  30013: '編碼器嘗試多次後放棄。請重新上傳，或另外匯出。',
}

export const zhHant: EventWords = {
  'api-key-created': ({ by, tier }) => ({
    title: '已建立新的 API 金鑰',
    text: `${by} 建立了第 ${tier} 級的 API 金鑰。若不是團隊成員所為，請刪除該金鑰並更改此人的密碼。`,
  }),
  attack: ({ domain, stopped, peak, sources, countries, category }) => ({
    title: `${domain} 正遭受攻擊`,
    text: `已攔下 ${count(stopped)} 個請求，最多一分鐘 ${count(peak)} 個，來自 ${count(countries)} 個國家或地區的 ${count(sources)} 個位址。`,
    cause: `主要由${SHIELD_PARTS[category] ?? category}攔下`,
    ended: `對 ${domain} 的攻擊已結束`,
  }),
  'beacons-disagree': ({ cdn, place, heard, subnets, said, others }) => ({
    title: `${placeName(place)} 的信標對 ${cdn} 說法不一`,
    text: `當地信標回報 ${cdn} 中斷，但探測與其他訪客都顯示正常，因此只影響該處的訪客。若非當地線路故障，可能有人傳送假的信標。`,
    cause: `${subnets} 個網段的 ${heard} 個樣本：可用率 ${said}%；其他訪客：${others}%`,
    ended: `${placeName(place)} 的信標對 ${cdn} 說法已一致`,
  }),
  'feed-left-out': ({ feed, state, cdn, place }) => ({
    title: `外部資料來源 ${feed} 已不採用`,
    text: `${LEFT_OUT[state] ?? state}恢復正常前，決策不採用它。`,
    cause: cdn === '' || place === '' ? undefined : `${cdn}，${placeName(place)}`,
    ended: `外部資料來源 ${feed} 已重新採用`,
  }),
  'backup-unproven': ({ days, problem }) => ({
    title: days === null ? '沒有任何備份通過驗證' : `最近一次通過驗證的備份已是 ${days} 天前`,
    text: '之後的備份未通過驗證，無法確定能否還原。排程會再做一次備份；詳情請執行 ./fairway doctor。',
    cause: problem === '' ? undefined : problem,
    ended: '最新的備份已通過驗證',
  }),
  'charges-held': ({ kind, hours }) => ({
    title: kind === 'clock' ? '時鐘不可信：目前不會扣款' : '平台已還原：目前不會扣款',
    text:
      kind === 'clock'
        ? `背景程序的時鐘被調整過、與資料庫的時鐘不同，或顯示經過的時間多於已統計的時間：約 ${hours} 小時。扣款、月度帳單、消費上限與試用期均已暫停。請查看每台機器的時鐘（timedatectl），然後在「營運總覽」中確認。`
        : '扣款、月度帳單與還原之前的信件都在等待。請先在付款服務商處查看此後已扣的款項，然後在「營運總覽」中確認。',
    ended: '扣款已繼續',
  }),
  'backup-old': ({ days }) => ({
    title: `最近一次備份已是 ${days} 天前`,
    text: '請執行 ./fairway backup，並查明排程為何沒有執行。',
    ended: '已有新的備份',
  }),
  'backup-log-stopped': ({ minutes, torn, problem }) => ({
    title: `最近 ${minutes} 分鐘的變更不在任何備份中`,
    text: torn
      ? '備份之間的日誌有缺口，下一次備份會補上：./fairway backup --incremental。'
      : '日誌無法送達備份位置，位置恢復後會自動繼續。./fairway doctor 有更多說明。',
    cause: problem === '' ? undefined : problem,
    ended: '日誌已重新送達備份位置',
  }),
  'cdn-approved': ({ cdn, host }) => ({
    title: `${host} 已獲准使用 ${cdn}`,
    text: '設定進行中，節點確認後 DNS 便會以它回應。',
  }),
  'cdn-behind': ({ cdn, host, reason }) => ({
    title: `${host} 的設定在 ${cdn} 未生效`,
    text: '它仍在回應，因此訪客照舊被引導到那裡。系統會自動檢查，並重試失敗的部分。',
    cause: reason,
    ended: `${cdn} 已依設定服務 ${host}`,
  }),
  'cdn-down': ({ cdn, evidence }) => ({
    title: `${cdn} 已中斷`,
    text: `DNS 不再回應 ${cdn}，訪客會改導向其他 CDN，直到它恢復為止。`,
    cause: evidenceSentence(evidence, EVIDENCE),
    ended: `${cdn} 已恢復`,
  }),
  'cdn-failed': ({ cdn, host, reason }) => ({
    title: `無法為 ${host} 設定 ${cdn}`,
    text: '訪客不會被導向該處。系統會自動重試。',
    cause: reason,
    ended: `${cdn} 正在服務 ${host}`,
  }),
  'cdn-refused': ({ cdn, host, reason }) => ({
    title: `${host} 未獲准使用 ${cdn}`,
    text: '請依原因調整後重新申請，或將其解除安裝。',
    cause: reason,
  }),
  'challenge-softened': ({ domain, rule, mode, softer, people, gaveUp }) => ({
    title: `${domain} 的一項質詢已放寬`,
    text: `${rule === '' ? '安全等級' : `「${rule}」`}的質詢中，${count(people)} 個訪客網路有 ${count(gaveUp)} 個放棄。現由「${CHALLENGES[mode] ?? mode}」改為「${CHALLENGES[softer] ?? softer}」。出現攻擊跡象時會自動恢復。`,
    ended: `${domain} 的質詢已恢復原設定`,
  }),
  'certificate-expiring': ({ host, days }) => ({
    title: `${host} 的憑證將於 ${days} 天後到期`,
    text: '請在到期前續期或更換，否則瀏覽器會向訪客顯示警告。',
    ended: `${host} 的憑證已續期`,
  }),
  'certificate-failed': ({ host, reason }) => ({
    title: `${host} 沒有憑證`,
    text: '無法簽發憑證。系統會自動重試。',
    cause: reason,
    ended: `${host} 已取得憑證`,
  }),
  'certificate-issued': ({ host }) => ({ title: `${host} 已取得憑證`, text: '所有邊緣節點皆已啟用。' }),
  'certificate-revoked': ({ host }) => ({
    title: `${host} 的憑證已被撤銷`,
    text: '憑證授權單位已撤銷此憑證，瀏覽器可能會拒絕。請上傳或申請新的憑證。',
  }),
  'console-certificate-failed': ({ host, until, reason }) => ({
    title: `主控台未取得 ${host} 的新憑證`,
    text:
      until === ''
        ? '目前還沒有憑證，瀏覽器無法透過 TLS 連線。系統會自動重新申請。'
        : `原有憑證可用至 ${until}。系統會自動重新申請。`,
    cause: reason,
    ended: `主控台已取得 ${host} 的憑證`,
  }),
  'stream-certificate-failed': ({ host, until, reason }) => ({
    title: `影片未取得 ${host} 的新憑證`,
    text:
      until === ''
        ? '目前還沒有憑證，影片經未加密的 HTTP 提供。系統會自動重新申請。'
        : `原有憑證可用至 ${until}，之後影片經未加密的 HTTP 提供。系統會自動重新申請。`,
    cause: reason,
    ended: `影片已取得 ${host} 的憑證`,
  }),
  'deployment-refused': ({ site, node, version, reason }) => ({
    title: `${node} 拒絕了 ${site} 的變更`,
    text: `版本 ${version} 未在該節點生效，節點會繼續使用上一個正常版本。`,
    cause: reason,
    ended: `${node} 已使用 ${site} 的最新版本`,
  }),
  'disk-full': ({ machine, free }) => ({
    title: `${machine} 的磁碟已滿`,
    text: `僅剩 ${free}。該機器上的 API 在有空間之前拒絕變更；已提供的服務不受影響。請立即釋出空間。`,
    ended: `${machine} 的磁碟可再次接受變更`,
  }),
  'disk-low': ({ machine, free, percent }) => ({
    title: `${machine} 的磁碟空間即將用盡`,
    text: `僅剩 ${free}（${percent}%）。請釋出空間或擴充磁碟，以免上傳、測量與變更無處存放。`,
    ended: `${machine} 的磁碟已有足夠空間`,
  }),
  'disk-scarce': ({ machine, free }) => ({
    title: `${machine} 的磁碟幾乎已滿`,
    text: `僅剩 ${free}。該處的上傳、轉碼、新直播、測量樣本與請求日誌已停止。接下來會拒絕變更。`,
    ended: `${machine} 上停止的工作已恢復`,
  }),
  'invite-accepted': ({ name, email }) => ({ title: `${name} 已加入`, text: `${email} 已接受邀請，現在可以登入。` }),
  'invite-declined': ({ email, why }) => ({
    title: `${email} 婉拒了你的邀請`,
    text:
      why === 'has-account'
        ? '此地址在另一個組織已有帳號，而每個地址只能有一個帳號。請改用另一個地址邀請。'
        : '未建立帳號。',
  }),
  'invoice-posted': ({ number, amount, dueOn }) => ({
    title: `帳單 ${number}`,
    text: `${amount}，付款期限 ${dueOn}。`,
  }),
  'live-idle': ({ stream, hours }) => ({
    title: `沒有訊號送到 ${stream}`,
    text: `轉碼器已開啟 ${hours} 小時，卻沒有訊號，時間照樣計費。需要時再開啟即可。`,
    ended: `${stream} 已有訊號，或已關閉`,
  }),
  'live-input-lost': ({ stream }) => ({
    title: `${stream} 的訊號中斷`,
    text: '觀眾停在最後的畫面。若在半分鐘內恢復，直播會繼續；超過後，直播對觀眾即結束。',
    ended: `${stream} 的訊號已恢復，或直播已結束`,
  }),
  'live-not-recorded': ({ stream, reason }) => ({
    title: `${stream} 未被錄製`,
    text:
      reason === 'disk-full'
        ? '錄製所在機器的磁碟已滿。直播本身繼續進行。'
        : '你的組織的影片與直播數量已達上限。請刪除一個，再將錄製關閉並重新開啟。',
  }),
  'live-problem': ({ stream, problem }) => ({
    title: `${stream} 無法編碼`,
    text: '觀眾看不到新的內容。直播的頁面說明傳送端要改什麼。',
    ...(isSentence(problem) ? { cause: problem } : {}),
    ended: `${stream} 已恢復編碼，或已關閉`,
  }),
  'live-recorded': ({ stream, video }) => ({
    title: `${stream} 已錄製`,
    text: `錄影已在影片中，名稱為 ${video}。`,
  }),
  'live-recording-cut': ({ stream, video }) => ({
    title: `${stream} 的錄製提前結束`,
    text: `錄製所在機器的磁碟已滿。已保留的部分在影片中，名稱為 ${video}；直播本身繼續進行。`,
  }),
  'live-stopped': ({ stream, streams }) => ({
    title: streams === 1 ? `${stream} 已被關閉` : `${stream} 等 ${streams} 個直播已被關閉`,
    text: '服務已停止：達到消費上限、試用期結束、帳號鎖定或停用。恢復服務後直播仍會保持關閉，請把需要的重新開啟。',
  }),
  'live-unwatched': ({ stream, minutes }) => ({
    title: `沒有人觀看 ${stream}`,
    text: `直播正在進行，但已有 ${minutes} 分鐘沒有觀眾要求播放。請查看播放它的網頁是否正常；時間照樣計費。`,
    ended: `${stream} 有人觀看，或已不再直播`,
  }),
  'looked-on': ({ by }) => ({
    title: `${by} 正在檢視你的帳號`,
    text: '對方以你的身分登入，最多一小時。其所做的變更會在稽核記錄中註明。如果你沒有請求協助，請聯絡客服。',
  }),
  'mail-failing': ({ problem }) => ({
    title: '郵件無法寄出',
    text: '郵件會等候並重試。請檢查設定中的郵件伺服器。',
    cause: problem,
    ended: '郵件已恢復寄送',
  }),
  'sign-in-added': ({ way, name, ip }) => ({
    title: way === 'passkey' ? '你的帳號新增了通行金鑰' : '你的帳號已連結 Google 帳號',
    text: `從現在起，${name} 也能以你的身分登入。若不是你本人所為，請立即移除並變更密碼。`,
    cause: `新增來源：${ip}`,
  }),
  'address-changed': ({ from, to, ip }) => ({
    title: '你的電子郵件地址已變更',
    text: `從現在起請以 ${to} 登入，不再使用 ${from}。若不是你本人所為，請改回並設定新密碼。`,
    cause: `變更來源：${ip}`,
  }),
  'mfa-changed': ({ on, ip }) => ({
    title: on ? '兩步驟登入已開啟' : '兩步驟登入已關閉',
    text: on ? '登入時會要求輸入驗證器應用程式的代碼。' : '登入時只需要密碼。',
    cause: `變更來源：${ip}`,
  }),
  'name-parked': ({ site, reason }) => ({
    title: `${site} 未提供服務`,
    text: '請證明此名稱屬於你：設定它的兩部名稱伺服器，或加入站點所示的 TXT 記錄。一經看到即開始服務。',
    cause: PARKED[reason] ?? reason,
    ended: `${site} 已提供服務`,
  }),
  'name-proven': ({ site }) => ({
    title: `已證明 ${site} 屬於你`,
    text: '其他人若未重新證明，無法取得此名稱。',
  }),
  'name-removed': ({ site }) => ({
    title: `${site} 已移除`,
    text: '此名稱未獲證明，站點已保留 30 天。當你能證明此名稱時，隨時可以再次加入。',
  }),
  'nameservers-failed': ({ site, reason }) => ({
    title: `${site} 尚未使用我們的名稱伺服器`,
    text: '十分鐘內未能找到。我們會每小時繼續檢查一次。',
    cause: nameserverReason(reason),
    ended: `${site} 已使用我們的名稱伺服器`,
  }),
  'nameservers-lost': ({ site, reason }) => ({
    title: `${site} 不再使用我們的名稱伺服器`,
    text: '訪客目前由其他伺服器回應。在恢復之前，你在此所做的變更不會生效。',
    cause: nameserverReason(reason),
    ended: `${site} 已重新使用我們的名稱伺服器`,
  }),
  'nameservers-verified': ({ site }) => ({
    title: `${site} 已使用我們的名稱伺服器`,
    text: '從現在起，所有訪客皆由此回應。',
  }),
  'node-away': ({ node, role, seconds }) => ({
    title: `節點 ${node} 失去聯繫`,
    text: `${role} 節點已 ${seconds} 秒沒有回報。其他節點繼續服務。`,
    ended: `節點 ${node} 已恢復`,
  }),
  'origin-down': ({ host, origin, failed, asked, isSilent }) => ({
    title: `${host} 的來源伺服器沒有回應`,
    text: `無法連線至 ${origin}。快取中的內容仍會繼續提供。`,
    cause: `兩分鐘內的 ${asked} 個請求中，有 ${failed} 個${isSilent ? '沒有得到回應' : '無法建立連線'}`,
    ended: `${host} 的來源伺服器已恢復回應`,
  }),
  'organization-closing': ({ organization, on, by }) => ({
    title: `${organization} 將於 ${on} 關閉`,
    text: `${by} 要關閉組織，包括所有網站、影片、金鑰和帳號。在那之前一切照常服務，擁有者可以保留組織。`,
    ended: `${organization} 不會關閉`,
  }),
  'organization-exported': ({ organization, ip }) => ({
    title: `${organization} 的全部資料已匯出`,
    text: '匯出使用了你的帳號。如果不是你本人，請立即變更密碼並登出所有工作階段。',
    cause: `匯出來自 ${ip}`,
  }),
  'owner-changed': ({ from, to }) => ({
    title: `${to} 現在是組織的擁有者`,
    text: from === '' ? '先前沒有擁有者。' : `先前的擁有者 ${from} 現在是管理員。`,
  }),
  'password-changed': ({ ip }) => ({
    title: '你的密碼已變更',
    text: '若不是你本人所為，請立即重設密碼並登出所有裝置。',
    cause: `變更來源：${ip}`,
  }),
  'payment-failed': ({ amount, reason }) => ({
    title: '付款失敗',
    text: `無法收取 ${amount}。請檢查信用卡，以免網站受到限制。`,
    cause: reason,
    ended: '已收到付款',
  }),
  'peers-stopped': ({ stream, withPeers, without }) => ({
    title: `${stream} 已停用對等傳遞`,
    text: `互傳分段的觀眾有 ${withPeers} % 的時間在等待，未互傳的觀眾為 ${without} %。在你再次開啟之前，全部內容都由 CDN 提供。`,
  }),
  'plan-set': ({ plan, before }) => ({
    title: `你的方案現在是 ${plan}`,
    text: `服務營運方已將方案由 ${before} 變更。已付款月份的剩餘費用已轉為抵用金。`,
  }),
  'purge-failed': ({ site, cdn, code, reason }) => ({
    title: `${cdn} 上清除 ${site} 的快取失敗`,
    text: '該處的訪客可能仍會看到舊內容。',
    cause:
      code === 'still-old'
        ? `通知三次之後，${reason} 的舊內容仍然存在`
        : code === 'silent'
          ? '檢查時它沒有回應'
          : reason,
    ended: `${cdn} 上 ${site} 的快取清除已恢復正常`,
  }),
  'quota-near': ({ what, of, used, limit }) => ({
    title: `${of === null ? '' : `${of} 的`}${counted(what)}額度${used >= limit ? '已用完' : '即將用完'}`,
    text: `方案包含 ${count(limit)}，已使用 ${count(used)}。`,
    ended: `${of === null ? '' : `${of} 的`}${counted(what)}已有剩餘額度`,
  }),
  'review-waiting': ({ cdn, host, organization }) => ({
    title: `${host} 等待你審核`,
    text: `${organization} 希望由 ${cdn} 提供服務。`,
    ended: `${host} 已審核`,
  }),
  'spending-capped': ({ cap, spent }) => ({
    title: '已達到支出上限',
    text: `已支出 ${spent}，上限 ${cap}。額外計費的項目將停用，直到下個月或提高上限。`,
  }),
  'spending-near': ({ cap, spent }) => ({ title: '即將達到支出上限', text: `本月已支出 ${spent}，上限 ${cap}。` }),
  'ticket-answered': ({ ticket, subject }) => ({ title: `工單 ${ticket} 已有回覆`, text: subject }),
  'ticket-opened': ({ ticket, subject, organization }) => ({
    title: `${organization} 的工單 ${ticket} 等待回覆`,
    text: subject,
    ended: `${organization} 的工單 ${ticket} 不再等待回覆`,
  }),
  'video-failed': ({ video, code, reason }) => ({
    title: `${video} 無法製成可播放的影片`,
    text: VIDEO_FAILED[code] ?? '請重新上傳，或另外匯出為 H.264 與 AAC 的 MP4。',
    ...(reason === '' ? {} : { cause: reason }),
    ended: `${video} 已被取代、刪除，或重新處理中`,
  }),
  'webhook-disabled': ({ url, reason }) => ({
    title: '一個 Webhook 已停用',
    text: url,
    cause: reason === 'gone' ? '接收端回應它已不存在（410）。' : '已有五天沒有任何一次送達。',
  }),
  'white-label-leaks': ({ partner, names }) => ({
    title: `${partner} 的客戶會看到本平台的名稱`,
    text: `他們會看到 ${names}。合作夥伴頁面列出了還缺少的 DNS 記錄。`,
    ended: `${partner} 的新客戶只會看到它自己的名稱`,
  }),
  'white-label-lost': ({ partner, name, seen }) => ({
    title: `${partner} 的一筆 DNS 記錄不再正確`,
    text: `${name}：${seen || '沒有任何內容'}。恢復之前，新客戶使用本平台的名稱；已使用合作夥伴名稱的客戶維持不變。`,
    ended: `${partner} 的 DNS 記錄已恢復正確`,
  }),
}

const numbers = new Intl.NumberFormat('zh-Hant')
const count = (value: number): string => numbers.format(value)
