import CBORKit
import CredentialTransport
import CryptoCore
@_spi(Layers) import JOSEKit
import MdocKit
import MdocTrust
import Testing

/// Fetching trust lists.
@Suite struct TrustListClientTests {
    private static let url = "https://lists.example/list"
    private let vical: [UInt8]
    private let rical: [UInt8]

    init() async throws {
        let provider = try await ListProvider()
        let iaca = try await Utopia().iaca.certificate
        let entry = ListProvider.entry(iaca, ["docType": ["org.iso.18013.5.1.mDL"]])
        vical = try await provider.sign(ListProvider.vical([entry]))
        rical = try await provider.sign(ListProvider.rical([entry]))
    }

    private func client(_ answers: [String: InMemoryHTTPAnswer]) -> TrustListClient {
        TrustListClient(transport: InMemoryHTTPTransport(answers))
    }

    @Test(arguments: ["application/cwt", "application/cbor", "application/cose", "application/octet-stream"])
    func listsOfBothKinds(_ type: String) async throws {
        let type = try MediaType(type)
        #expect(try await client([Self.url: .ok(vical, type: type)]).vical(at: Self.url).issueID == 7)
        #expect(try await client([Self.url: .ok(rical, type: type)]).rical(at: Self.url).id == 7)
    }

    /// A server should compress a VICAL (C.1.7.3).
    @Test func compressedLists() async throws {
        let cwt = try MediaType("application/cwt")
        let compressed = try Deflate.compress(vical, format: .gzip)
        let answer = InMemoryHTTPAnswer.ok(compressed, type: cwt)
        var client = client([Self.url: answer.encoded("gzip")])
        #expect(try await client.vical(at: Self.url).issueID == 7)
        client.options.limits.size = vical.count - 1
        let large = await #expect(throws: MdocError.self) { try await client.vical(at: Self.url) }
        #expect(large?.code == .notFetched)
        for answer in [InMemoryHTTPAnswer.ok(vical, type: cwt).encoded("gzip"), answer.encoded("br")] {
            let error = await #expect(throws: MdocError.self) {
                try await self.client([Self.url: answer]).vical(at: Self.url)
            }
            #expect(error?.code == .notFetched)
        }
    }

    @Test func redirectsAreFollowedForAWhile() async throws {
        let type = try MediaType("application/cwt")
        var answers: [String: InMemoryHTTPAnswer] = [:]
        for number in 0..<5 {
            answers["https://lists.example/\(number)"] = .redirect(to: "https://lists.example/\(number + 1)")
        }
        answers["https://lists.example/5"] = .ok(vical, type: type)
        var client = client(answers)
        #expect(try await client.vical(at: "https://lists.example/0").issueID == 7)
        client.redirects = 4
        let error = await #expect(throws: MdocError.self) { try await client.vical(at: "https://lists.example/0") }
        #expect(error?.code == .notFetched)
    }

    @Test func whatIsNotFetched() async throws {
        let cwt = try MediaType("application/cwt")
        for answers in [[:], [Self.url: .ok(vical, type: .json)], [Self.url: InMemoryHTTPAnswer(status: 500)]] {
            let error = await #expect(throws: MdocError.self) { try await client(answers).vical(at: Self.url) }
            #expect(error?.code == .notFetched)
        }
        for url in ["http://lists.example/list", "lists.example", "https://127.0.0.1/list"] {
            let error = await #expect(throws: MdocError.self) { try await client([:]).rical(at: url) }
            #expect(error?.code == .notFetched)
        }
        var limited = client([Self.url: .ok(vical, type: cwt)])
        limited.options.limits.size = vical.count
        #expect(try await limited.vical(at: Self.url).issueID == 7)
        limited.options.limits.size -= 1
        let error = await #expect(throws: MdocError.self) { try await limited.vical(at: Self.url) }
        #expect(error?.code == .notFetched)
    }

    @Test func whatIsFetchedAndIsNoList() async throws {
        let cwt = try MediaType("application/cwt")
        let error = await #expect(throws: MdocError.self) {
            try await client([Self.url: .ok([0xff], type: cwt)]).vical(at: Self.url)
        }
        #expect(error?.code == .malformedCBOR)
        for (options, code) in [(.strict, .deviation), (.deployed, .missingMember)]
            as [(TrustListReadingOptions, MdocError.Code)]
        {
            var client = client([Self.url: .ok(vical, type: cwt)])
            client.options = options
            let other = await #expect(throws: MdocError.self) { try await client.rical(at: Self.url) }
            #expect(other?.code == code)
        }
    }
}
