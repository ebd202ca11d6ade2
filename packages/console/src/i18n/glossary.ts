/** A word of the two Chinese languages, and what else is sometimes written for the same thing. */
type Term = { meaning: string; say: string; instead: RegExp }

/** One word for each thing, in the catalogs, in letters and in notifications. */
export const GLOSSARY: Readonly<Record<'zhHant' | 'zhHans', readonly Term[]>> = {
  zhHant: [
    { meaning: 'you', say: '你', instead: /您/g },
    { meaning: 'record, of a zone and of what was done', say: '記錄', instead: /紀錄/g },
    // Of a bank it is 帳戶.
    { meaning: 'account', say: '帳號', instead: /帳戶(?!無效)|账|賬/g },
    { meaning: 'multi-CDN', say: '多\u2009CDN', instead: /Multi-CDN|多 ?CDN/g },
    {
      meaning: 'a full-width mark has its own room',
      say: '。',
      instead: /[。，；：！？、）」][ \u2009]|[\u4e00-\u9fff][,;!?](?=\s|[\u4e00-\u9fff])/g,
    },
  ],
  zhHans: [
    { meaning: 'you', say: '你', instead: /您/g },
    { meaning: 'record, of a zone and of what was done', say: '记录', instead: /纪录/g },
    { meaning: 'account', say: '账号', instead: /账户(?!无效)|帐[号户]/g },
    { meaning: 'multi-CDN', say: '多\u2009CDN', instead: /Multi-CDN|多 ?CDN/g },
    {
      meaning: 'a full-width mark has its own room',
      say: '。',
      instead: /[。，；：！？、）」][ \u2009]|[\u4e00-\u9fff][,;!?](?=\s|[\u4e00-\u9fff])/g,
    },
  ],
}
