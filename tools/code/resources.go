package code

// urisOf are the resources of an index that may have changed; over says that it has come to its end.
func urisOf(id string, over bool) []string {
	uris := []string{"mimir://status/" + id, "mimir://logs/" + id}
	if over {
		uris = append(uris, "mimir://manifest/"+id, "mimir://indexes/"+id+"/bundle.tar.zst")
	}
	return uris
}
