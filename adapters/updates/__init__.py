"""What is edited or posted without being asked: corrections of answers, news on standing questions, alarms."""
