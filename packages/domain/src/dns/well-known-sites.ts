/** Root domains of the most visited sites. Nobody adds one of them by right; who owns one asks the operator. */
const WELL_KNOWN: ReadonlySet<string> = new Set(
  `google.com youtube.com facebook.com instagram.com x.com twitter.com whatsapp.com wikipedia.org reddit.com yahoo.com yahoo.co.jp yandex.ru amazon.com tiktok.com
  chatgpt.com openai.com netflix.com microsoft.com live.com office.com outlook.com bing.com msn.com linkedin.com naver.com daum.net kakao.com vk.com mail.ru ok.ru dzen.ru
  pinterest.com discord.com discord.gg twitch.tv github.com gitlab.com stackoverflow.com stackexchange.com apple.com icloud.com samsung.com adobe.com canva.com figma.com
  spotify.com soundcloud.com fandom.com weather.com quora.com zoom.us paypal.com ebay.com ebay.co.uk ebay.de aliexpress.com alibaba.com taobao.com tmall.com jd.com baidu.com
  qq.com weibo.com bilibili.com zhihu.com douyin.com xiaohongshu.com sohu.com sina.com.cn 163.com 126.com csdn.net iqiyi.com youku.com douban.com toutiao.com pinduoduo.com
  tencent.com aliyun.com alicdn.com huawei.com mi.com 360.cn hao123.com so.com sogou.com kuaishou.com huya.com douyu.com ctrip.com meituan.com dianping.com
  amazon.co.uk amazon.de amazon.co.jp amazon.in amazon.fr amazon.it amazon.es amazon.ca amazon.com.br amazon.com.mx amazon.com.au amazonaws.com aws.amazon.com
  google.co.uk google.de google.fr google.co.jp google.co.in google.com.br google.it google.es google.ca google.com.hk google.com.tw google.com.mx google.ru google.pl google.nl
  gmail.com googleapis.com gstatic.com googleusercontent.com googlevideo.com doubleclick.net android.com blogger.com blogspot.com wordpress.com wordpress.org tumblr.com medium.com
  substack.com wix.com squarespace.com shopify.com myshopify.com weebly.com godaddy.com namecheap.com cloudflare.com akamai.com akamai.net fastly.com fastly.net azure.com
  azurewebsites.net windows.com windowsupdate.com xbox.com skype.com bankofamerica.com chase.com wellsfargo.com citi.com capitalone.com americanexpress.com hsbc.com barclays.co.uk
  santander.com bbva.com itau.com.br bb.com.br caixa.gov.br sberbank.ru tinkoff.ru alipay.com visa.com mastercard.com stripe.com wise.com revolut.com coinbase.com binance.com kraken.com
  bbc.co.uk bbc.com cnn.com nytimes.com theguardian.com washingtonpost.com foxnews.com forbes.com bloomberg.com reuters.com wsj.com businessinsider.com cnbc.com cnet.com nbcnews.com
  usatoday.com dailymail.co.uk independent.co.uk telegraph.co.uk lemonde.fr lefigaro.fr spiegel.de bild.de welt.de zeit.de elpais.com elmundo.es marca.com repubblica.it corriere.it
  globo.com uol.com.br terra.com.br folha.uol.com.br clarin.com infobae.com hindustantimes.com indiatimes.com ndtv.com timesofindia.com rt.com ria.ru lenta.ru gazeta.ru rbc.ru
  nhk.or.jp nikkei.com asahi.com rakuten.co.jp dmm.com fc2.com ameblo.jp nicovideo.jp line.me pixiv.net hatena.ne.jp kakaku.com livedoor.com goo.ne.jp cookpad.com
  coupang.com gmarket.co.kr tistory.com dcinside.com namu.wiki shopee.com shopee.tw shopee.co.id lazada.com tokopedia.com bukalapak.com grab.com gojek.com flipkart.com myntra.com
  mercadolibre.com mercadolibre.com.ar mercadolibre.com.mx mercadolivre.com.br walmart.com target.com bestbuy.com homedepot.com lowes.com costco.com etsy.com wayfair.com ikea.com
  zara.com hm.com nike.com adidas.com otto.de zalando.de allegro.pl ozon.ru wildberries.ru avito.ru trendyol.com hepsiburada.com sahibinden.com craigslist.org
  booking.com airbnb.com expedia.com tripadvisor.com agoda.com trip.com uber.com lyft.com kayak.com skyscanner.net ryanair.com delta.com united.com emirates.com
  imdb.com rottentomatoes.com hulu.com disneyplus.com disney.com hbomax.com max.com primevideo.com paramountplus.com peacocktv.com crunchyroll.com vimeo.com dailymotion.com
  roblox.com steampowered.com steamcommunity.com epicgames.com minecraft.net ea.com playstation.com nintendo.com riotgames.com blizzard.com chess.com ign.com gamespot.com
  espn.com nba.com nfl.com mlb.com fifa.com uefa.com sportbible.com livescore.com flashscore.com cricbuzz.com espncricinfo.com
  telegram.org t.me signal.org wechat.com snapchat.com threads.net threads.com messenger.com viber.com slack.com notion.so atlassian.com trello.com dropbox.com box.com wetransfer.com
  salesforce.com oracle.com sap.com ibm.com intel.com amd.com nvidia.com cisco.com dell.com hp.com lenovo.com vmware.com redhat.com ubuntu.com debian.org kernel.org mozilla.org
  duckduckgo.com brave.com opera.com ecosia.org ask.com aol.com archive.org wikimedia.org wiktionary.org britannica.com duolingo.com coursera.org udemy.com khanacademy.org
  harvard.edu mit.edu stanford.edu berkeley.edu ox.ac.uk cam.ac.uk nih.gov cdc.gov nasa.gov irs.gov usps.com ups.com fedex.com dhl.com gov.uk nhs.uk europa.eu who.int un.org
  healthline.com webmd.com mayoclinic.org indeed.com glassdoor.com monster.com zillow.com realtor.com rightmove.co.uk autotrader.co.uk mobile.de leboncoin.fr olx.pl
  claude.ai anthropic.com perplexity.ai huggingface.co deepseek.com gemini.google.com character.ai midjourney.com npmjs.com pypi.org docker.com python.org nodejs.org php.net w3schools.com
  pornhub.com xvideos.com xhamster.com onlyfans.com stripchat.com chaturbate.com`.split(/\s+/),
)

/** Whether a root domain is one of the most visited sites. */
export const isWellKnownSite = (name: string): boolean => WELL_KNOWN.has(name)
