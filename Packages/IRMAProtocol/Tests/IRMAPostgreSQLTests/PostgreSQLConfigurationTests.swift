#if PostgreSQL
import CredentialServing
import IRMAServer
import IRMAServerPostgreSQL
import KeyshareServer
import KeyshareServerPostgreSQL
import Testing

@testable import IRMAPostgreSQL

@Suite struct PostgreSQLConfigurationTests {
    private static let secret = "hunter2-secret"

    @Test func printsNoPassword() {
        let configuration = PostgreSQLConfiguration(connectionString: "host=db password=\(Self.secret)")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains(Self.secret))
        }
    }

    @Test(arguments: [
        "host=db password=a \(secret)", "password='\(secret)", "nothing=\(secret)", secret,
        "postgresql://u:\(secret)@[::1",
        "host=db\u{0} password=\(secret)",
    ])
    func refusesAMalformedConnectionStringWithoutRepeatingIt(_ text: String) {
        let configuration = PostgreSQLConfiguration(connectionString: text)
        do throws(IRMAServerError) {
            _ = try PostgreSQLRevocationRecords(configuration: configuration)
            Issue.record("not refused")
        } catch {
            #expect(error.code == .invalidConfiguration)
            #expect(!"\(error)".contains(Self.secret))
        }
        do throws(KeyshareServerError) {
            _ = try PostgreSQLKeyshareAccountStore(configuration: configuration)
            Issue.record("not refused")
        } catch {
            #expect(error.code == .invalidConfiguration)
            #expect(!"\(error)".contains(Self.secret))
        }
    }

    @Test func refusesLimitsThatLetNothingThrough() {
        let good = PostgreSQLConfiguration(connectionString: "host=db")
        let changes: [(inout PostgreSQLConfiguration) -> Void] = [
            { $0.maximumConnections = 0 }, { $0.maximumWaitingCalls = -1 }, { $0.connectTimeout = .zero },
            { $0.statementTimeout = .seconds(-1) },
        ]
        for change in changes {
            var configuration = good
            change(&configuration)
            #expect(throws: PostgreSQLError.self) {
                try PostgreSQLPool(configuration, clock: .system, jitter: { 1 })
            }
        }
    }

    @Test func theBackOffDoublesUpToItsBound() {
        let configuration = PostgreSQLConfiguration(
            connectionString: "",
            firstBackoff: .milliseconds(100),
            maximumBackoff: .seconds(1)
        )
        let waits = (1...6).map { configuration.backoff(after: $0, jitter: 1) }
        #expect(waits == [100, 200, 400, 800, 1000, 1000].map { Duration.milliseconds($0) })
        #expect(configuration.backoff(after: 1, jitter: 0) == .milliseconds(50))
        #expect(configuration.backoff(after: .max, jitter: 7) == .seconds(1))
    }

    @Test func secretsAreThoseThatLibpqMarks() {
        let text = "host=db user=me password='two words' sslpassword=\(Self.secret)"
        #expect(Set(ConnectionString.secrets(in: text)) == ["two words", Self.secret])
        #expect(ConnectionString.secrets(in: "postgresql://me:\(Self.secret)@db/x") == [Self.secret])
        #expect(ConnectionString.secrets(in: "malformed").isEmpty)
    }
}
#endif
