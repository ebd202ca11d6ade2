export type Language = 'en' | 'zhHant' | 'zhHans'
/** Why the edge itself answers instead of the origin. */
export type Reason =
  | 'bad-request'
  | 'blocked'
  | 'challenge'
  | 'crowded'
  | 'fault'
  | 'headers-too-large'
  | 'internal'
  | 'loop'
  | 'maintenance'
  | 'method-refused'
  | 'no-room'
  | 'origin-invalid'
  | 'origin-slow'
  | 'origin-untrusted'
  | 'plain-to-tls'
  | 'stale-refused'
  | 'rate-limited'
  | 'starting'
  | 'token-refused'
  | 'too-large'
  | 'too-slow'
  | 'unknown-host'
  | 'unreachable'
  | 'unresolved'
  | 'unsupported'
  | 'uri-too-long'
  | 'withdrawn'
  | 'wrong-connection'
type Words = { title: string; sentence: string }

const WORDS: Record<Reason, Record<Language, Words>> = {
  'bad-request': {
    en: {
      title: 'The request cannot be read',
      sentence: 'What was sent is not a valid HTTP request, so it was not passed on.',
    },
    zhHant: { title: '無法讀取這個請求', sentence: '收到的內容不是有效的 HTTP 請求，因此沒有轉送。' },
    zhHans: { title: '无法读取这个请求', sentence: '收到的内容不是有效的 HTTP 请求，因此没有转发。' },
  },
  blocked: {
    en: {
      title: 'This request was blocked',
      sentence:
        'The security rules of this website do not allow it. If this is a mistake, tell its owner the number below.',
    },
    zhHant: {
      title: '這個請求已被封鎖',
      sentence: '網站的安全規則不允許這個請求。如果有誤，請將下方號碼告知網站擁有者。',
    },
    zhHans: { title: '此请求已被拦截', sentence: '网站的安全规则不允许此请求。如果有误，请将下方号码告知网站所有者。' },
  },
  challenge: {
    en: {
      title: 'One moment',
      sentence: 'This website checks that it is visited by people. It goes on by itself after that.',
    },
    zhHant: { title: '請稍候', sentence: '這個網站正在確認訪客不是程式，完成後會自動繼續。' },
    zhHans: { title: '请稍候', sentence: '此网站正在确认访客不是程序，完成后会自动继续。' },
  },
  crowded: {
    en: {
      title: 'Too much is waiting',
      sentence:
        "So many requests wait for this website's origin that the edge takes no more of them. Try again in a moment.",
    },
    zhHant: { title: '等候的請求過多', sentence: '等候這個網站源站的請求已達上限，邊緣節點暫不接受更多，請稍後再試。' },
    zhHans: { title: '等候的请求过多', sentence: '等候此网站源站的请求已达上限，边缘节点暂不接受更多，请稍后再试。' },
  },
  fault: {
    en: { title: 'Out of order', sentence: 'This simulated CDN has been told to fail a share of its requests.' },
    zhHant: { title: '暫停服務', sentence: '這個模擬 CDN 已設定為讓一部分請求失敗。' },
    zhHans: { title: '暂停服务', sentence: '这个模拟 CDN 已设定为让一部分请求失败。' },
  },
  'headers-too-large': {
    en: {
      title: 'The request headers are too large',
      sentence: 'Cookies may have piled up: deleting those of this website usually helps.',
    },
    zhHant: { title: '請求標頭太大', sentence: '可能累積了過多 Cookie，刪除這個網站的 Cookie 通常就能解決。' },
    zhHans: { title: '请求头过大', sentence: '可能累积了过多 Cookie，删除此网站的 Cookie 通常就能解决。' },
  },
  internal: {
    en: {
      title: 'Something went wrong here',
      sentence: 'The edge could not handle this request. Try again in a moment.',
    },
    zhHant: { title: '這裡發生錯誤', sentence: '邊緣節點無法處理這個請求，請稍後再試。' },
    zhHans: { title: '此处发生错误', sentence: '边缘节点无法处理这个请求，请稍后再试。' },
  },
  loop: {
    en: {
      title: 'Going in circles',
      sentence: 'This request has passed through here several times: the origin of this name points back to the CDN.',
    },
    zhHant: { title: '請求在繞圈', sentence: '這個請求已多次經過此處：此名稱的源站又指回 CDN。' },
    zhHans: { title: '请求在绕圈', sentence: '这个请求已多次经过此处：此名称的源站又指回 CDN。' },
  },
  maintenance: {
    en: { title: 'We will be back soon', sentence: 'This website is under maintenance. Try again in a few minutes.' },
    zhHant: { title: '我們很快回來', sentence: '網站正在維護，請幾分鐘後再試。' },
    zhHans: { title: '我们很快回来', sentence: '网站正在维护，请几分钟后再试。' },
  },
  'method-refused': {
    en: { title: 'This method is not allowed', sentence: 'The edge does not pass requests with this method on.' },
    zhHant: { title: '不允許這個方法', sentence: '邊緣節點不轉送使用此方法的請求。' },
    zhHans: { title: '不允许这个方法', sentence: '边缘节点不转发使用此方法的请求。' },
  },
  'no-room': {
    en: {
      title: 'No room for so much',
      sentence: 'The disk of this edge is nearly full, so it takes small requests only. Try again in a few minutes.',
    },
    zhHant: {
      title: '目前容納不下這麼多內容',
      sentence: '這個邊緣節點的磁碟即將用盡，暫時只接受小型請求，請幾分鐘後再試。',
    },
    zhHans: {
      title: '目前容纳不下这么多内容',
      sentence: '此边缘节点的磁盘即将用尽，暂时只接受小型请求，请几分钟后再试。',
    },
  },
  'origin-invalid': {
    en: {
      title: 'The origin answers wrongly',
      sentence:
        "This website's origin answered with something that is not valid HTTP. The CDN itself works; try again in a moment.",
    },
    zhHant: { title: '源站的回應有誤', sentence: '這個網站的源站回應不是有效的 HTTP。CDN 本身運作正常，請稍後再試。' },
    zhHans: { title: '源站的响应有误', sentence: '此网站的源站响应不是有效的 HTTP。CDN 本身运行正常，请稍后再试。' },
  },
  'origin-slow': {
    en: {
      title: 'The origin does not answer in time',
      sentence: "This website's origin took too long. The CDN itself works; try again in a moment.",
    },
    zhHant: { title: '源站未及時回應', sentence: '這個網站的源站花費太久時間。CDN 本身運作正常，請稍後再試。' },
    zhHans: { title: '源站未及时响应', sentence: '此网站的源站用时过长。CDN 本身运行正常，请稍后再试。' },
  },
  'origin-untrusted': {
    en: {
      title: 'The origin cannot be trusted',
      sentence:
        "This website's origin did not prove who it is: its certificate is not valid for the name it was asked for. Nothing was sent to it.",
    },
    zhHant: {
      title: '無法信任源站',
      sentence: '這個網站的源站無法證明自己的身分：憑證對所請求的名稱無效，因此沒有傳送任何內容。',
    },
    zhHans: {
      title: '无法信任源站',
      sentence: '此网站的源站无法证明自己的身份：证书对所请求的名称无效，因此没有发送任何内容。',
    },
  },
  'plain-to-tls': {
    en: {
      title: 'This port speaks TLS',
      sentence: 'The request came without encryption. Use an address that begins with https://.',
    },
    zhHant: { title: '這個連接埠使用 TLS', sentence: '請求未經加密。請使用以 https:// 開頭的位址。' },
    zhHans: { title: '此端口使用 TLS', sentence: '请求未加密。请使用以 https:// 开头的地址。' },
  },
  'stale-refused': {
    en: {
      title: 'The origin does not answer',
      sentence:
        "This website's origin has failed, and it does not allow an old copy to be shown instead. Try again in a moment.",
    },
    zhHant: { title: '源站沒有回應', sentence: '這個網站的源站發生錯誤，且不允許以舊副本代替。請稍後再試。' },
    zhHans: { title: '源站没有响应', sentence: '此网站的源站发生错误，且不允许以旧副本代替。请稍后再试。' },
  },
  'rate-limited': {
    en: {
      title: 'Too many requests',
      sentence: 'There were more requests from you than this website allows. Try again later.',
    },
    zhHant: { title: '請求過多', sentence: '您的請求超過這個網站允許的數量，請稍後再試。' },
    zhHans: { title: '请求过多', sentence: '您的请求超过此网站允许的数量，请稍后再试。' },
  },
  starting: {
    en: { title: 'Starting', sentence: 'This edge has not read its configuration yet. Try again in a moment.' },
    zhHant: { title: '啟動中', sentence: '這個邊緣節點尚未讀取設定，請稍後再試。' },
    zhHans: { title: '启动中', sentence: '此边缘节点尚未读取配置，请稍后再试。' },
  },
  'token-refused': {
    en: {
      title: 'This video is not open to everyone',
      sentence: 'Its address needs a token that is valid here and now. Open the video once more from its own page.',
    },
    zhHant: {
      title: '這部影片並非對所有人開放',
      sentence: '影片網址必須帶有目前有效的權杖。請從原來的網頁重新開啟影片。',
    },
    zhHans: {
      title: '此视频并非对所有人开放',
      sentence: '视频网址必须带有目前有效的令牌。请从原来的网页重新打开视频。',
    },
  },
  'too-large': {
    en: { title: 'The request is too large', sentence: 'What was sent is larger than the edge passes on.' },
    zhHant: { title: '請求太大', sentence: '傳送的內容超過邊緣節點可轉送的大小。' },
    zhHans: { title: '请求过大', sentence: '发送的内容超过边缘节点可转发的大小。' },
  },
  'too-slow': {
    en: { title: 'The request took too long', sentence: 'The rest of the request did not arrive in time.' },
    zhHant: { title: '請求逾時', sentence: '請求的其餘部分未及時送達。' },
    zhHans: { title: '请求超时', sentence: '请求的其余部分未及时送达。' },
  },
  'unknown-host': {
    en: {
      title: 'No such name here',
      sentence:
        'The name you asked for is not served by this edge. Its DNS may point to the wrong place, or its owner has not set it up yet.',
    },
    zhHant: {
      title: '這裡沒有這個名稱',
      sentence: '這個邊緣節點不提供您要求的名稱。可能是 DNS 指向錯誤，或擁有者尚未完成設定。',
    },
    zhHans: {
      title: '此处没有这个名称',
      sentence: '此边缘节点不提供您请求的名称。可能是 DNS 指向错误，或所有者尚未完成设置。',
    },
  },
  unreachable: {
    en: {
      title: 'The origin does not answer',
      sentence: "None of the addresses of this website's origin answered. The CDN itself works; try again in a moment.",
    },
    zhHant: { title: '源站沒有回應', sentence: '這個網站的源站位址都沒有回應。CDN 本身運作正常，請稍後再試。' },
    zhHans: { title: '源站没有响应', sentence: '此网站的源站地址都没有响应。CDN 本身运行正常，请稍后再试。' },
  },
  unresolved: {
    en: {
      title: 'The origin has no address',
      sentence: "The name of this website's origin does not resolve to an address at the moment.",
    },
    zhHant: { title: '源站沒有位址', sentence: '這個網站的源站名稱目前無法解析為位址。' },
    zhHans: { title: '源站没有地址', sentence: '此网站的源站名称目前无法解析为地址。' },
  },
  unsupported: {
    en: { title: 'This is not supported', sentence: 'The request uses a part of HTTP that the edge does not offer.' },
    zhHant: { title: '不支援這項功能', sentence: '請求使用了邊緣節點未提供的 HTTP 功能。' },
    zhHans: { title: '不支持此功能', sentence: '请求使用了边缘节点未提供的 HTTP 功能。' },
  },
  'uri-too-long': {
    en: {
      title: 'The address is too long',
      sentence: 'The address that was asked for is longer than the edge passes on.',
    },
    zhHant: { title: '位址太長', sentence: '要求的位址超過邊緣節點可轉送的長度。' },
    zhHans: { title: '地址过长', sentence: '请求的地址超过边缘节点可转发的长度。' },
  },
  'wrong-connection': {
    en: {
      title: 'Not over this connection',
      sentence: 'This connection was opened for another website. Ask for this one over a connection of its own.',
    },
    zhHant: { title: '不能使用這個連線', sentence: '這個連線是為另一個網站建立的，請為這個網站另外建立連線。' },
    zhHans: { title: '不能使用此连接', sentence: '此连接是为另一个网站建立的，请为此网站另外建立连接。' },
  },
  withdrawn: {
    en: { title: 'No such name here', sentence: 'The name you asked for is not served by this edge any more.' },
    zhHant: { title: '這裡沒有這個名稱', sentence: '這個邊緣節點已不再提供您要求的名稱。' },
    zhHans: { title: '此处没有这个名称', sentence: '此边缘节点已不再提供您请求的名称。' },
  },
}

export function wordsOf(reason: Reason, language: Language): Words {
  return WORDS[reason][language]
}
