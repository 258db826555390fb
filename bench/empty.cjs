// What an empty Node process costs.
