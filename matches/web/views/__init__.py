"""The pages, by concern: `front` lists, `table` one match, `acting` what players send, `records` what stays,
`joining` who plays, `notices`, `games`. All of them read through queries and write through services."""
