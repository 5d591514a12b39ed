#if PostgreSQL
import Testing
import VerificationCore

@testable import IRMAPostgreSQL

@Suite struct PostgreSQLValueTests {
    private func row(_ value: [UInt8]?, type: UInt32) -> PostgreSQLRow {
        PostgreSQLRow(values: [value], types: [type])
    }

    @Test(arguments: [0, 1, -1, 255, -256, Int64.max, Int64.min])
    func numbersAreReadAsTheyAreSent(_ number: Int64) throws {
        let binary = try #require(PostgreSQLValue.integer(number).binary)
        #expect(try row(binary, type: 20).integer(0) == number)
    }

    @Test func readsShorterNumbersWithTheirSign() throws {
        #expect(try row([0xff, 0xfe], type: 21).integer(0) == -2)
        #expect(try row([0x7f, 0xff, 0xff, 0xff], type: 23).integer(0) == Int64(Int32.max))
        #expect(try row([0x80, 0, 0, 0], type: 23).integer(0) == Int64(Int32.min))
    }

    @Test func readsNullWhereItIsExpectedOnly() throws {
        #expect(try row(nil, type: 20).optionalInteger(0) == nil)
        #expect(try row(nil, type: 25).optionalText(0) == nil)
        expectDamage { _ = try row(nil, type: 20).integer(0) }
        expectDamage { _ = try row(nil, type: 25).text(0) }
        expectDamage { _ = try row(nil, type: 17).bytes(0) }
    }

    @Test func refusesColumnsOfAnotherType() {
        expectDamage { _ = try row([1, 2], type: 25).integer(0) }
        expectDamage { _ = try row([1, 2, 3], type: 20).integer(0) }
        expectDamage { _ = try row([], type: 20).integer(0) }
        expectDamage { _ = try row([1], type: 17).text(0) }
        expectDamage { _ = try row([0xff], type: 25).text(0) }
        expectDamage { _ = try row([1], type: 25).bytes(0) }
        expectDamage { _ = try row([1], type: 17).bytes(1) }
        expectDamage { _ = try row([1], type: 17).bytes(-1) }
    }

    private func expectDamage(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        do {
            try body()
            Issue.record("not refused", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? PostgreSQLError)?.code == .damaged, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        ("22003", PostgreSQLError.Code.invalidValue), ("23505", .constraint), ("40001", .contention),
        ("40P01", .contention),
        ("42P01", .missingTable), ("42501", .refused), ("3D000", .refused), ("28P01", .refused),
        ("53300", .unavailable),
        ("57P01", .unavailable), ("25006", .unavailable), ("XX000", .unavailable),
    ])
    func errorsOfTheServerHaveAKind(_ state: String, _ code: PostgreSQLError.Code) {
        #expect(PostgreSQLError(sqlState: state).code == code)
    }
}
#endif
