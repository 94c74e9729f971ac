def draw(report, directory):
    return []
