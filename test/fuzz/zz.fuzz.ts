import { beforeAll, test } from 'vitest';
import { newCast, newForm, type Cast, clientWith } from '#test/support/world.ts';
import { plantStructure } from '#test/support/building.ts';
import { idWithin } from '#core/db/keys.ts';
let cast: Cast;
beforeAll(async () => { cast = await newCast(); });
let x=12345; const rnd=()=>{x=(Math.imul(x,1103515245)+12345)>>>0;return (x>>>16)};
const text = Array.from({length:10000},()=>rnd()%2?'a':'b').join('');
test('heavy', async () => {
  const { alice, dave, slug } = cast;
  for (const n of [1, 30, 300]) {
  const form = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }, {type:'MULTIPLE_CHOICE', choices: [{name:'a'},{name:'b'}]}], [{type:'SHORT_TEXT'}]]);
  const [first=''] = form.sectionIds; const [q=''] = form.questionIds;
  await plantStructure(form.formId, (s) => {
    const ids = Array.from({length:n},()=>idWithin(form.formId, crypto.randomUUID()));
    const second = form.sectionIds[1]!;
    const conds = ids.map((id,i)=>({id,type:'CONDITION' as const,label:'c',payload:{},conditionRule:{source:'NON_CHOICE' as const,question:q,pattern:`a.{${100+(i%80)}}[c-d]${"[e-h]?".repeat(1+i/80)}`},nextTrue: ids[i+1] ?? second, nextFalse: ids[i+1] ?? second}));
    return {...s, nodes:[...s.nodes.map(nd=>nd.id===first?{...nd,next:ids[0]!}:nd),...conds]};
  });
  const responseId = (await dave.client.responses.startResponse({params:{formId:form.formId}})).body.id;
  let t=performance.now();
  await dave.client.responses.updateAnswers({params:{responseId},body:{answers:[{questionId:q,questionType:'LONG_TEXT',value:text}]}});
  console.log(n,'save',Math.round(performance.now()-t)); t=performance.now();
  await dave.client.responses.getResponse({params:{formId:form.formId,responseId}});
  console.log(n,'preview',Math.round(performance.now()-t)); t=performance.now();
  await dave.client.responses.submitResponse({params:{responseId},body:{answers:[]}});
  console.log(n,'submit',Math.round(performance.now()-t)); t=performance.now();
  await alice.client.exports.downloadTable({params:{formId:form.formId},body:{questionIds:form.questionIds}});
  console.log(n,'export',Math.round(performance.now()-t)); t=performance.now();
  await alice.client.workflow.getWorkflow({params:{formId:form.formId}});
  console.log(n,'workflow',Math.round(performance.now()-t)); 
  }
}, 100000);
test('flood', async () => {
  const { alice, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
  const { send } = await import('#test/support/world.ts');
  const tries: [string,string,string][] = [
   ['POST',`/api/forms/${form.formId}/responses/export/preview`,`{"questionIds":[${'"x",'.repeat(1_000_000)}"x"]}`],
   ['POST',`/api/forms/${form.formId}/responses/export/preview`,`{"questionIds":[${'1,'.repeat(2_000_000)}1]}`],
   ['POST',`/api/forms/${form.formId}/responses/query`,`{"filters":[${'{},'.repeat(1_400_000)}1]}`],
   ['PUT',`/api/forms/${form.formId}/workflow`,`[${'{},'.repeat(1_400_000)}1]`],
   ['POST',`/api/sections/${form.sectionIds[0]}/questions`,`{"title":"x","type":"SINGLE_CHOICE","order":1,"required":true,"description":null,"choices":[${'{},'.repeat(1_400_000)}1]}`],
   ['POST',`/api/sections/${form.sectionIds[0]}/questions`,`{"title":"x","type":"SINGLE_CHOICE","order":1,"required":true,"description":null,"choices":[${'{"name":"a"},'.repeat(300_000)}{"name":"b"}]}`],
   ['PATCH',`/api/forms/${form.formId}`,`{"description":{"type":"doc","content":[${'{},'.repeat(1_400_000)}1]}}`],
   ['PATCH',`/api/forms/${form.formId}`,`{${Array.from({length:300_000},(_, i)=>`"m${i}":1`).join(',')}}`],
   ['POST',`/api/orgs`,`{"name":"x","description":"","slug":"zzz","metadata":{${Array.from({length:300_000},(_, i)=>`"m${i}":1`).join(',')}}}`],
   ['POST',`/api/orgs/${slug}/members`,`{"email":"${'a.'.repeat(2_000_000)}@b.de"}`],
   ['POST',`/api/orgs/${slug}/members`,`{"email":"${'a'.repeat(4_000_000)}"}`],
   ['PATCH',`/api/forms/${form.formId}`,`{"spreadsheetUrl":"http://${'a.'.repeat(2_000_000)}"}`],
   ['PATCH',`/api/forms/${form.formId}`,`{"title":"${'😀'.repeat(1_000_000)}"}`],
   ['PATCH',`/api/forms/${form.formId}`,`${'['.repeat(127)}${'1,'.repeat(2_000_000)}1${']'.repeat(127)}`],
   ['PATCH',`/api/forms/${form.formId}`,`{"__proto":${'['.repeat(127)}${'"_",'.repeat(1_000_000)}1${']'.repeat(127)},"a":"__proto__"}`],
  ];
  for (const [m,p,b] of tries) {
    const t=performance.now();
    const a = await send(m,p,{headers:{authorization:`Bearer ${alice.token}`,'content-type':'application/json'},body:b});
    const body = await a.text();
    console.log(m,p.replace(/[0-9a-f-]{36}/g,'ID'),b.slice(0,50),b.length,'→',a.status,Math.round(performance.now()-t),'ms', body.length, body.slice(0,100));
  }
}, 200000);
