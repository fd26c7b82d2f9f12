"""What changes what was posted, or posts unasked: corrections, news on standing questions, silent feeds."""
