"""An article -> its sentences at their exact place, boilerplate marked."""
