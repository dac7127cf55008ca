"""The main job, with the generated client: build a form, answer, submit, list and export. Prints what came back as JSON.

Usage: main_job.py URL ADMIN_ID RESPONDENT_ID
"""

import importlib
import json
import pkgutil
import re
import sys

import form_service_client as generated
from form_service_client import models
from form_service_client.api.auth import auth_login_internal
from form_service_client.api.exports import exports_download_table
from form_service_client.api.forms import forms_create_form, forms_get_form, forms_publish_form
from form_service_client.api.questions import questions_create_question
from form_service_client.api.responses import (
    responses_list_responses,
    responses_start_response,
    responses_submit_response,
    responses_update_answers,
)
from form_service_client.api.workflow import workflow_create_node, workflow_get_workflow, workflow_update_workflow

url, admin_id, respondent_id = sys.argv[1:]


def sign_in(user_id):
    response = auth_login_internal.sync_detailed(
        client=generated.Client(base_url=url), body=models.InternalLogin(uid=user_id)
    )
    token = re.search(r"access_token=([^;]+)", response.headers["set-cookie"]).group(1)
    return generated.AuthenticatedClient(base_url=url, token=token)


def answer(question, value):
    return models.AnswerInput(question_id=question.id, question_type=question.type_, value=value)


names = [found.name for found in pkgutil.walk_packages(generated.__path__, "form_service_client.")]
for name in names:
    importlib.import_module(name)

admin = sign_in(admin_id)
paragraph = models.RichTextContentType0Item.from_dict(
    {"type": "paragraph", "content": [{"type": "text", "text": "Once a week", "marks": [{"type": "bold"}]}]}
)
described = models.RichText(type_="doc", content=[paragraph])
form = forms_create_form.sync(
    "demo",
    client=admin,
    body=models.FormInput(title="Lunch", visibility=models.Visibility.PUBLIC, allow_edit_response=True, description=described),
)
section = workflow_create_node.sync(
    form.id,
    client=admin,
    body=models.NewWorkflowNode(type_=models.NewWorkflowNodeType.SECTION, payload=models.NewWorkflowNodePayload.from_dict({"x": 0, "y": 120})),
)


def ask(title, type_, order, **options):
    body = models.QuestionInput(title=title, type_=models.QuestionType(type_), order=order, required=False, description=None, **options)
    return questions_create_question.sync(section.id, client=admin, body=body)


what = ask("What?", "SINGLE_CHOICE", 1, choices=[models.ChoiceInput(name="Soup"), models.ChoiceInput(name="Noodles")])
why = ask("Why?", "LONG_TEXT", 2)
stars = ask("How good?", "RATING", 3, scale=models.Scale(min_val=1, max_val=5, icon=models.ScaleIconType0.STAR))
day = ask("When?", "DATE", 4, date=models.DateOptions(has_year=True, has_month=True, has_day=True))
link = ask("Where?", "HYPERLINK", 5)

nodes = {node.type_: node for node in workflow_get_workflow.sync(form.id, client=admin).workflow}


def linked(node, **following):
    return models.WorkflowNodeInput(id=node.id, label=node.label, payload=models.WorkflowNodeInputPayload(), **following)


workflow_update_workflow.sync(
    form.id,
    client=admin,
    body=[
        linked(nodes["START"], next_=section.id),
        linked(nodes["SECTION"], next_=nodes["END"].id),
        linked(nodes["END"]),
    ],
)
published = forms_publish_form.sync(form.id, client=admin)

respondent = sign_in(respondent_id)
started = responses_start_response.sync(form.id, client=respondent, body=models.StartInput(answers=[answer(why, "Warm")]))
saved = responses_update_answers.sync(
    started.id,
    client=respondent,
    body=models.AnswersInput(
        answers=[
            answer(what, [str(what.choices[1].id)]),
            answer(stars, 4),
            answer(day, "2026-06-05"),
            answer(link, "https://example.org/lunch"),
        ]
    ),
)
submitted = responses_submit_response.sync(started.id, client=respondent, body=models.AnswersInput(answers=[]))
refused = responses_update_answers.sync(
    started.id, client=respondent, body=models.AnswersInput(answers=[answer(stars, 9)])
)
unknown = forms_get_form.sync(form.id, client=generated.AuthenticatedClient(base_url=url, token="wrong"))

listed = responses_list_responses.sync(form.id, client=admin)
workbook = exports_download_table.sync(
    form.id, client=admin, body=models.TableInput(question_ids=[what.id, why.id, stars.id, day.id, link.id])
)

print(
    json.dumps(
        {
            "modules": len(names),
            "description": form.to_dict()["description"],
            "published": published.status,
            "saved": len(saved.answers),
            "progress": submitted.progress,
            "refused": [refused.status, refused.code],
            "unknown": [unknown.status, unknown.code],
            "listed": [item.progress for item in listed.responses],
            "workbook": workbook.payload.read(2).decode(),
        }
    )
)
