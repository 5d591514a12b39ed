import CredentialTransport
import CryptoCore
import Foundation
import JSONKit
import LinkedDataKit
import Synchronization
import Testing

struct HTTPContextLoaderTests {
    private let url = "https://example.org/employee/v1"
    private let bytes = Array(#"{"@context": {"badge": "https://example.org/vocabulary#badge"}}"#.utf8)

    private func processor(_ transport: InMemoryHTTPTransport, sha256: [UInt8]? = nil) -> JSONLDProcessor {
        var contexts = ContextRegistry.builtIn
        contexts.allow(url, sha256: sha256 ?? HashAlgorithm.sha256.digest(of: bytes))
        return JSONLDProcessor(
            contexts: contexts,
            loader: HTTPContextLoader(transport: transport, clock: { ProofScene.now })
        )
    }

    private var document: JSONObject {
        [
            "@context": ["https://www.w3.org/ns/credentials/v2", .string(url)], "type": "VerifiableCredential",
            "issuer": "did:example:a", "credentialSubject": ["badge": "7"],
        ]
    }

    private func signed() async throws -> SecuredDocument {
        var contexts = ContextRegistry.builtIn
        try contexts.add(bytes, at: url, sha256: HashAlgorithm.sha256.digest(of: bytes))
        let signer = try ProofScene.signer()
        return try await LinkedDataProver(processor: JSONLDProcessor(contexts: contexts)).sign(
            document,
            suite: .eddsaRDFC2022,
            options: ProofScene.options(for: signer.publicKey),
            with: signer
        )
    }

    private func verify(_ processor: JSONLDProcessor) async throws -> Verification<VerifiedSecuredDocument> {
        let verifier = LinkedDataVerifier(processor: processor, clock: { ProofScene.now })
        return await verifier.verify(try await signed(), expecting: LinkedDataExpectation())
    }

    @Test func fetchesAContextOfTheAllowListOnce() async throws {
        let transport = InMemoryHTTPTransport([url: .ok(bytes, type: .json)])
        let processor = processor(transport)
        for _ in 0..<3 { #expect(try await verify(processor).verified != nil) }
        #expect(transport.requests.count == 1)
    }

    @Test func refusesOtherBytesRedirectsAndUnknownURLsByName() async throws {
        let changed = InMemoryHTTPTransport([url: .ok(bytes + [0x20], type: .json)])
        let moved = InMemoryHTTPTransport([
            url: .redirect(to: "https://example.org/v2")
        ])
        for (transport, reason) in [(changed, "contextDigestMismatch"), (moved, "contextRedirected")] {
            let refusal = try await verify(processor(transport)).refusal
            #expect(refusal?.check == .linkedData)
            #expect(refusal?.reason.name == reason)
            #expect(refusal?.path == [url])
        }
        let loader = HTTPContextLoader(transport: changed)
        let unknown = try await verify(JSONLDProcessor(loader: loader)).refusal
        #expect(unknown?.reason == "loadingRemoteContextFailed")
        #expect(unknown?.path == [url])
        #expect(unknown?.isUnavailable == false)
    }

    @Test func saysThatAContextMayBeHadLater() async throws {
        let transport = InMemoryHTTPTransport([:])
        let processor = processor(transport)
        for _ in 0..<3 {
            let refusal = try await verify(processor).refusal
            #expect(refusal?.reason == "loadingRemoteContextFailed")
            #expect(refusal?.path == [url])
            #expect(refusal?.isUnavailable == true)
        }
        // The failure is remembered for a while.
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [("max-age=600", 600), ("max-age=999999", 3600), ("no-store", 60), ("", 3600)])
    func keepsAContextAsLongAsItsServerSays(cacheControl: String, seconds: TimeInterval) async throws {
        let transport = InMemoryHTTPTransport([url: .ok(bytes, type: .json).caching(cacheControl)])
        let now = Mutex(ProofScene.now)
        let loader = HTTPContextLoader(transport: transport, clock: { now.withLock { $0 } })
        for (offset, requests) in [(0, 1), (seconds - 1, 1), (seconds + 1, 2)] {
            now.withLock { $0 = ProofScene.now.addingTimeInterval(offset) }
            #expect(try await loader.loadContext(at: url).bytes == bytes)
            #expect(transport.requests.count == requests)
        }
    }

    @Test func boundsTheSizeOfAContext() async throws {
        let transport = InMemoryHTTPTransport([url: .ok(bytes, type: .json)])
        let tight = HTTPContextLoader(transport: transport, limits: HTTPLimits(maximumBodySize: bytes.count - 1))
        await #expect { _ = try await tight.loadContext(at: url) } throws: {
            ($0 as? LinkedDataError)?.code == .loadingRemoteContextFailed
        }
        let wide = HTTPContextLoader(transport: transport, limits: HTTPLimits(maximumBodySize: bytes.count))
        #expect(try await wide.loadContext(at: url).bytes == bytes)
    }
}
