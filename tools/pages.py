"""What the tools that look at pages share: sections, anchors, links, words and blocks of a Markdown file."""
import re

FENCE = re.compile(r"^ *(```|~~~)")
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")
LINK = re.compile(r"\]\(<?([^)\s>]*)>?(?: +\"[^\"]*\")?\)")
CODE = re.compile(r"(`+).*?\1")
COMMENT = re.compile(r"<!--.*?-->", re.S)


def prose(text):
    """The lines of a page with their numbers, without blocks of code and comments."""
    text = COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text)
    fenced, blank = False, True
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and not (line.startswith("    ") and blank):
            blank = not line.strip()
            yield number, line
        elif not fenced:
            continue  # of an indented block, which goes on until a line that is not


def slug(heading):
    """The anchor of a heading, as forges and the site make it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    plain = re.sub(r"<[^>]*>", "", plain.replace("`", "").replace("*", ""))
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


def anchors(text):
    found = re.findall(r'<a (?:id|name)="([^"]+)"', text)
    for _, line in prose(text):
        heading = HEADING.match(line)
        if heading:
            found.append(slug(heading[2]))
    return found


def links(text):
    """(line, target) of every link and picture outside code."""
    for number, line in prose(text):
        for match in LINK.finditer(CODE.sub("", line)):
            yield number, match[1]


def words(text):
    """How many words of prose and tables a page has; blocks of code do not count."""
    return sum(len([w for w in line.split() if re.search(r"\w", w)]) for _, line in prose(text))
