import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Synchronization
import Testing

/// Type metadata that are fetched and kept.
@Suite struct HTTPTypeMetadataTests {
    private static let type = "https://example.com/type"
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// A publisher whose document changes, and a recipient whose time does.
    private final class World: Sendable {
        private let state = Mutex((version: 1, seconds: TimeInterval(0)))
        let cacheControl: String

        init(cacheControl: String = "") {
            self.cacheControl = cacheControl
        }

        var version: Int {
            get { state.withLock { $0.version } }
            set { state.withLock { $0.version = newValue } }
        }

        var seconds: TimeInterval {
            get { state.withLock { $0.seconds } }
            set { state.withLock { $0.seconds = newValue } }
        }

        static func document(_ version: Int) -> [UInt8] {
            let document: JSONValue = ["vct": .string(HTTPTypeMetadataTests.type), "name": .string("\(version)")]
            return document.encoded()
        }

        static func integrity(_ version: Int) -> IntegrityMetadata {
            IntegrityMetadata("sha256-" + Base64URL.encode(HashAlgorithm.sha256.digest(of: document(version))))
        }

        var transport: InMemoryHTTPTransport {
            InMemoryHTTPTransport { _ throws(TransportError) in
                .ok(Self.document(self.version), type: .json).caching(self.cacheControl)
            }
        }
    }

    private func source(_ transport: InMemoryHTTPTransport, _ world: World) -> HTTPTypeMetadata {
        HTTPTypeMetadata(transport: transport) { Self.start + world.seconds }
    }

    @Test(arguments: [("", 3600), ("max-age=600", 600), ("no-store", 60), ("max-age=1000000", 86400)])
    func keepsDocuments(cacheControl: String, lifetime: TimeInterval) async throws {
        let world = World(cacheControl: cacheControl)
        let transport = world.transport
        let source = source(transport, world)
        for (seconds, count) in [(0, 1), (lifetime - 1, 1), (lifetime, 2)] {
            world.seconds = seconds
            _ = try await TypeMetadata.load(Self.type, from: source)
            #expect(transport.requests.count == count)
        }
    }

    /// An answer that is no metadata of the type does not stand in their place for as long as a document is kept.
    @Test(arguments: [#"{"error":"maintenance"}"#, #"{"vct":"https://example.com/other"}"#, "<html>", ""])
    func doesNotKeepAnAnswerThatIsNoMetadata(text: String) async throws {
        let world = World(cacheControl: "max-age=86400")
        let wrong = InMemoryHTTPAnswer.ok(Array(text.utf8), type: .json).caching(world.cacheControl)
        let right = InMemoryHTTPAnswer.ok(World.document(1), type: .json)
        let count = Mutex(0)
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? wrong : right
        }
        let source = source(transport, world)
        for seconds: TimeInterval in [0, 4] {
            world.seconds = seconds
            await expectRefusal(.malformedTypeMetadata) { try await TypeMetadata.load(Self.type, from: source) }
            #expect(transport.requests.count == 1)
        }
        world.seconds = 5
        let metadata = try await TypeMetadata.load(Self.type, from: source)
        #expect(metadata.documents.first?.name == "1")
        #expect(transport.requests.count == 2)
    }

    /// A proxy that changes an answer gives it the status 203 (RFC 9110, section 15.3.4).
    @Test(arguments: [(203, true), (201, false), (204, false), (206, false)])
    func takesAnswersWithTheDocument(status: Int, isTaken: Bool) async throws {
        let world = World()
        var answer = InMemoryHTTPAnswer.ok(World.document(1), type: .json)
        answer.status = status
        let source = source(InMemoryHTTPTransport([Self.type: answer]), world)
        if isTaken {
            #expect(try await TypeMetadata.load(Self.type, from: source).documents.first?.name == "1")
        } else {
            await expectRefusal(.retrievalFailed) { try await TypeMetadata.load(Self.type, from: source) }
        }
    }

    /// A credential under new metadata makes the kept ones be fetched again, and each is held against its own digest.
    @Test func fetchesADocumentOfOtherDigestsAgain() async throws {
        let world = World()
        let transport = world.transport
        let source = TypeMetadataSources([LocalTypeMetadata([:]), source(transport, world)])
        _ = try await TypeMetadata.load(Self.type, integrity: World.integrity(1), from: source)
        world.version = 2
        // Not before the interval has passed.
        await expectRefusal(.integrityMismatch) {
            try await TypeMetadata.load(Self.type, integrity: World.integrity(2), from: source)
        }
        #expect(transport.requests.count == 1)
        world.seconds = 30
        let new = try await TypeMetadata.load(Self.type, integrity: World.integrity(2), from: source)
        #expect(new.documents.first?.name == "2")
        #expect(transport.requests.count == 2)
        await expectRefusal(.integrityMismatch) {
            try await TypeMetadata.load(Self.type, integrity: World.integrity(1), from: source)
        }
        #expect(transport.requests.count == 2)
    }
}
