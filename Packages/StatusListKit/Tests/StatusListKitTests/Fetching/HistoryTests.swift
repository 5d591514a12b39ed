import CredentialTransport
import Foundation
import StatusListKit
import Testing

@Suite struct HistoryTests {
    private static let past = TokenMaker.now.addingTimeInterval(-50)
    private static let url = "\(TokenMaker.uri)?time=\(Int(past.timeIntervalSince1970))"

    private func status(
        _ answer: InMemoryHTTPAnswer,
        _ key: StatusListKey,
        at time: Date = past
    ) async throws -> CredentialStatus {
        let server = TokenServer([Self.url: answer])
        let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
        let reference = try StatusReference(index: 1, uri: TokenMaker.uri)
        let status = await client.historicalStatus(for: reference, signedBy: key, at: time).status
        #expect(client.snapshot().tokens.isEmpty)
        return status
    }

    private func status(_ maker: TokenMaker) async throws -> CredentialStatus {
        try await status(TokenServer.answer(try await maker.token()), maker.key)
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func asksWithTheTime(form: StatusListToken.Form) async throws {
        #expect(try await status(TokenMaker(form)) == .revoked)
        let maker = try TokenMaker(form)
        let fraction = Self.past.addingTimeInterval(0.75)
        #expect(try await status(TokenServer.answer(try await maker.token()), maker.key, at: fraction) == .revoked)
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesAListOfAnotherTime(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        for (issuedAt, expirationTime): (Double, Double?) in [(-49, 3600), (-200, -50), (-200, nil)] {
            maker.issuedAt = issuedAt
            maker.expirationTime = expirationTime
            #expect(try await status(maker).reason == "timeNotCovered")
        }
        maker.issuedAt = -50
        maker.expirationTime = -49
        #expect(try await status(maker) == .revoked)
    }

    @Test func saysThatAProviderKeepsNoHistory() async throws {
        let key = try TokenMaker(.jwt).key
        #expect(try await status(InMemoryHTTPAnswer(status: 501), key).reason == "historyNotSupported")
        #expect(try await status(InMemoryHTTPAnswer(status: 404), key).reason == "historyNotSupported")
        #expect(try await status(InMemoryHTTPAnswer(status: 500), key).reason == "notFetched")
    }

    @Test func checksAllElse() async throws {
        let maker = try TokenMaker(.jwt)
        let answer = TokenServer.answer(try await maker.token())
        #expect(try await status(answer, TokenMaker(.jwt).key).reason == "invalidSignature")
        let endless = Date(timeIntervalSince1970: .infinity)
        #expect(try await status(answer, maker.key, at: endless).reason == "timeNotCovered")
    }
}
