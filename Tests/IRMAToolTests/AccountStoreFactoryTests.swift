#if Server && PostgreSQL
import CommandSupport
import CredentialServingOperations
import ServerSupport
import Testing

@testable import IRMATool

/// The settings of a store of accounts in PostgreSQL.
@Suite struct AccountStoreFactoryTests {
    private func loaded(_ flags: String...) throws -> ServerConfiguration {
        let schema = try ConfigurationSchema(name: "keyshareserver", AccountStoreFactory.keys)
        return try #require(try ServerProgram.load(schema, folders: [], flags, environment: [:]))
    }

    @Test(arguments: [(nil, 8), ("0", 8), ("50", 50)] as [(String?, Int)])
    func takesTheNumberOfConnections(_ text: String?, _ number: Int) throws {
        let address = "--db-str=dbname=keyshare"
        let configuration = try text.map { try loaded(address, "--db-max-open=\($0)") } ?? loaded(address)
        let settings = try AccountStoreFactory.postgreSQL(configuration)
        #expect("\(settings)" == "PostgreSQL with at most \(number) connections")
    }

    @Test func demandsAConnectionString() throws {
        let configuration = try loaded()
        let error = #expect(throws: ToolError.self) { try AccountStoreFactory.postgreSQL(configuration) }
        #expect(error?.description.hasPrefix("db_str: ") == true)
    }
}
#endif
