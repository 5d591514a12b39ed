import CryptoCore
import JSONKit
import LinkedDataKit
import Synchronization
import Testing

struct ContextRegistryTests {
    /// Answers from a table, and counts.
    private final class TableLoader: ContextLoader {
        let answers: [String: LoadedContext]
        let requests = Mutex<[String]>([])

        init(_ answers: [String: LoadedContext]) {
            self.answers = answers
        }

        func loadContext(at url: String) async throws -> LoadedContext {
            requests.withLock { $0.append(url) }
            guard let answer = answers[url] else { throw CancellationError() }
            return answer
        }
    }

    private struct FailingLoader: ContextLoader {
        struct Failure: Error {}
        func loadContext(at url: String) async throws -> LoadedContext { throw Failure() }
    }

    private let url = "https://example.org/v1"
    private let bytes = Array(#"{"@context": {"name": "https://schema.org/name"}}"#.utf8)
    private let document: JSONValue = ["@context": "https://example.org/v1", "@id": "urn:a", "name": "A"]
    private var digest: [UInt8] { HashAlgorithm.sha256.digest(of: bytes) }

    private func error(_ processor: JSONLDProcessor) async -> LinkedDataError? {
        do {
            try await processor.loadContexts(for: document)
            _ = try processor.expand(document)
            return nil
        } catch {
            return error as? LinkedDataError
        }
    }

    @Test func fetchesNothingByDefault() async {
        let unknown = await error(JSONLDProcessor())
        #expect(unknown?.code == .loadingRemoteContextFailed)
        #expect(unknown?.path.contains(url) == true)
        #expect(unknown?.code.w3cName == "loading remote context failed")
        #expect(code { try JSONLDProcessor().expand(document) } == .loadingRemoteContextFailed)
    }

    @Test func takesContextsThatAreHandedInWithTheirDigest() throws {
        var contexts = ContextRegistry.builtIn
        try contexts.add(bytes, at: url, sha256: digest)
        #expect(try JSONLDProcessor(contexts: contexts).toRDF(document).count == 1)
        #expect(code { try contexts.add(bytes + [0x20], at: url, sha256: digest) } == .contextDigestMismatch)
        #expect(code { try contexts.add(bytes, at: url, sha256: []) } == .contextDigestMismatch)
    }

    @Test(arguments: [("[]", LinkedDataError.Code.invalidRemoteContext), ("{", .loadingRemoteContextFailed)])
    func refusesDocumentsThatAreNoContext(_ text: String, _ expected: LinkedDataError.Code) {
        var contexts = ContextRegistry.empty
        let bytes = Array(text.utf8)
        let digest = HashAlgorithm.sha256.digest(of: bytes)
        #expect(code { try contexts.add(bytes, at: url, sha256: digest) } == expected)
    }

    @Test func loadsAllowedContextsOnce() async throws {
        let loader = TableLoader([url: LoadedContext(url: url, bytes: bytes)])
        var contexts = ContextRegistry.builtIn
        contexts.allow(url, sha256: digest)
        let processor = JSONLDProcessor(contexts: contexts, loader: loader)
        #expect(code { try processor.expand(document) } == .loadingRemoteContextFailed)
        try await processor.loadContexts(for: document)
        try await processor.loadContexts(for: document)
        #expect(try processor.toRDF(document).count == 1)
        #expect(loader.requests.withLock { $0 } == [url])
    }

    @Test func asksForNothingBeyondTheAllowList() async {
        let loader = TableLoader([url: LoadedContext(url: url, bytes: bytes)])
        let refusal = await error(JSONLDProcessor(loader: loader))
        #expect(refusal?.code == .loadingRemoteContextFailed)
        #expect(refusal?.path == [url])
        #expect(loader.requests.withLock { $0 }.isEmpty)
    }

    @Test func refusesOtherBytesRedirectsAndFailures() async {
        var contexts = ContextRegistry.empty
        contexts.allow(url, sha256: digest)
        let redirected = TableLoader([url: LoadedContext(url: "https://example.org/v2", bytes: bytes)])
        let changed = TableLoader([url: LoadedContext(url: url, bytes: bytes + [0x0a])])
        let refusals: [(any ContextLoader, LinkedDataError.Code)] = [
            (redirected, .contextRedirected), (changed, .contextDigestMismatch),
            (FailingLoader(), .loadingRemoteContextFailed),
        ]
        for (loader, expected) in refusals {
            let refusal = await error(JSONLDProcessor(contexts: contexts, loader: loader))
            #expect(refusal?.code == expected)
            #expect(refusal?.path == [url])
        }
    }

    @Test func endsWhenTheTaskIsCancelled() async {
        var contexts = ContextRegistry.empty
        contexts.allow(url, sha256: digest)
        let processor = JSONLDProcessor(contexts: contexts, loader: TableLoader([:]))
        await #expect(throws: CancellationError.self) { try await processor.loadContexts(for: document) }
    }

    @Test func sharesProcessedContextsBetweenTasks() async throws {
        let processor = JSONLDProcessor()
        let expected = try processor.toRDF(Credentials.university).canonicalNQuads()
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<32 {
                group.addTask { try processor.toRDF(Credentials.university).canonicalNQuads() }
            }
            for try await canonical in group { #expect(canonical == expected) }
        }
    }

    @Test func keepsNamesOfContextsApartFromContexts() throws {
        let processor = JSONLDProcessor()
        let options = JSONLDOptions(safeMode: nil)
        _ = try processor.expand(["@context": nil, "urn:p": "A"], options: options)
        _ = try processor.expand(["@context": [:], "urn:p": "A"], options: options)
        for name in ["null", "{}"] {
            let document: JSONValue = ["@context": [.string(name)], "urn:p": "A"]
            #expect(code { try processor.expand(document, options: options) } == .loadingRemoteContextFailed)
        }
    }

    @Test func keepsProcessedContextsWithinTheirBound() throws {
        let cache = ContextCache(capacity: 100)
        let processor = JSONLDProcessor(contexts: .builtIn, loader: nil, caches: ContextCaches(cache))
        for index in 0..<200 {
            let name = "term\(index)"
            let document = JSONObject([
                ("@context", JSONValue.object(JSONObject([(name, JSONValue.string("urn:p"))]))),
                (name, JSONValue.string("A")),
            ])
            _ = try processor.expand(.object(document))
            #expect(cache.weight <= 100)
        }
        _ = try processor.toRDF(Credentials.university)
        #expect(cache.weight > 0)
        #expect(cache.weight <= 100)
    }

    /// Few terms, and texts of any length that each document makes up.
    @Test func countsTheTextsOfProcessedContexts() throws {
        let cache = ContextCache(capacity: 1000)
        let processor = JSONLDProcessor(contexts: .builtIn, loader: nil, caches: ContextCaches(cache))
        let long = String(repeating: "a", count: 60_000)
        for index in 0..<20 {
            _ = try processor.expand(["@context": ["@language": .string("en-\(index)"), "\(long)\(index)": "urn:p"]])
            #expect(cache.weight <= 1000)
        }
        // A text of 60,000 bytes counts as 200 terms.
        #expect(cache.weight >= 200)
    }

    /// Two contexts define `DataIntegrityProof` with the same context inside, so that a document can name both.
    @Test func takesContextsThatRepeatATermWithItsContext() throws {
        let document: JSONValue = [
            "@context": ["https://www.w3.org/ns/credentials/v2", "https://w3id.org/security/data-integrity/v2"],
            "@id": "urn:a", "type": "VerifiableCredential",
        ]
        #expect(try JSONLDProcessor().toRDF(document).count == 1)
    }

    @Test(arguments: [
        (#""context""#, true), (#"{"@import": "context"}"#, true), (#"["https://example.org/other"]"#, false),
        (#"{"b": {"@id": "https://example.org/b", "@context": ["context"]}}"#, true),
        (#"{"b": {"@id": "https://example.org/b", "@context": {"c": "urn:c"}}}"#, false), ("null", false),
    ])
    func refusesARepeatedTermWhoseContextHasARelativeURL(_ context: String, isRefused: Bool) throws {
        var contexts = ContextRegistry.empty
        let term = #"{"@id": "https://example.org/a", "@context": \#(context)}"#
        let text = Array(#"{"@context": {"@version": 1.1, "@protected": true, "a": \#(term)}}"#.utf8)
        let inner = Array(#"{"@context": {"name": "https://schema.org/name"}}"#.utf8)
        for (url, bytes) in [
            ("https://one.example/v1", text), ("https://two.example/v1", text), ("https://one.example/context", inner),
            ("https://two.example/context", inner), ("https://example.org/other", inner),
        ] { try contexts.add(bytes, at: url, sha256: HashAlgorithm.sha256.digest(of: bytes)) }
        let processor = JSONLDProcessor(contexts: contexts)
        let document: JSONValue = [
            "@context": ["https://one.example/v1", "https://two.example/v1"], "@id": "urn:x", "a": ["@id": "urn:y"],
        ]
        if isRefused {
            #expect(code { try processor.expand(document) } == .protectedTermRedefinition)
        } else {
            #expect(throws: Never.self) { try processor.expand(document) }
        }
    }
}

extension ContextRegistry {
    /// Adds a document with whatever digest it has.
    mutating func add(_ document: JSONValue, at url: String) throws {
        let bytes = document.encoded()
        try add(bytes, at: url, sha256: HashAlgorithm.sha256.digest(of: bytes))
    }
}
