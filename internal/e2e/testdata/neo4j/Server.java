import java.nio.file.Path;
import java.util.Map;

import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.harness.Neo4j;
import org.neo4j.harness.Neo4jBuilders;

/**
 * A Neo4j server for the integration tests: Bolt on a free port of 127.0.0.1, with a password. It prints one line, the Bolt URI, when it
 * answers, and ends when its standard input ends, so that it never outlives the test that started it.
 *
 * Arguments: a folder for its files, and the password of the user neo4j.
 */
public final class Server {
    private Server() {}

    public static void main(String[] args) throws Exception {
        Neo4j neo4j = Neo4jBuilders.newInProcessBuilder(Path.of(args[0]))
                .withDisabledServer()
                .withConfig(GraphDatabaseSettings.auth_enabled, true)
                .build();
        neo4j.databaseManagementService().database("system").executeTransactionally(
                "ALTER USER neo4j SET PLAINTEXT PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", args[1]));
        System.out.println(neo4j.boltURI());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is asked of it but to go on until the test ends.
        }
        neo4j.close();
    }
}
