package explore

import "database/sql"

// A nameCache has ids of the table names.
type nameCache map[string]int64

// id returns the id of a name, which is added if it is new.
func (c nameCache) id(tx *sql.Tx, name string) (int64, error) {
	if id, ok := c[name]; ok {
		return id, nil
	}
	if _, err := tx.Exec("INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING", name); err != nil {
		return 0, err
	}
	var id int64
	err := tx.QueryRow("SELECT name_id FROM names WHERE name = ?", name).Scan(&id)
	if err == nil {
		c[name] = id
	}
	return id, err
}
