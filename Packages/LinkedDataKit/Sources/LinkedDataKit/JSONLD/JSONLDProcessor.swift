public import JSONKit
import Synchronization
import VerificationCore

/// The algorithms of JSON-LD 1.1 over a set of contexts (JSON-LD 1.1 API, section 9).
///
/// A processor keeps the contexts that it processed; make one and share it between tasks. It fetches nothing by itself:
/// a document may only name contexts of its ``ContextRegistry``, and ``loadContexts(for:options:)`` is the one
/// operation that asks the loader for those of the allow-list.
///
/// ```swift
/// let processor = JSONLDProcessor()
/// let credential = try JSONValue(parsing: bytes)
/// let canonical = try processor.toRDF(credential).canonicalNQuads()
/// ```
public final class JSONLDProcessor: Sendable {
    private let registry: ContextRegistry
    private let loader: (any ContextLoader)?
    private let caches: ContextCaches
    private let loaded = Mutex<[ExactText: ContextDocument]>([:])

    /// Makes a processor.
    ///
    /// - Parameters:
    ///   - contexts: The contexts that documents may name; those of this module by default.
    ///   - loader: The source of contexts that are on the allow-list of the registry; none by default.
    ///   - cachedTerms: The largest number of terms in all contexts that are kept processed. A term takes about 300
    ///     bytes. Up to four threads at a time have an equal part of them each, so that a context which all use is counted
    ///     once for each; a context with more than half a part is processed anew each time.
    public convenience init(
        contexts: ContextRegistry = .builtIn,
        loader: (any ContextLoader)? = nil,
        cachedTerms: Int = 40_000
    ) {
        self.init(contexts: contexts, loader: loader, caches: ContextCaches(capacity: cachedTerms))
    }

    package init(contexts: ContextRegistry, loader: (any ContextLoader)?, caches: ContextCaches) {
        registry = contexts
        self.loader = loader
        self.caches = caches
    }

    /// Expands a document (section 9.1, `expand`).
    ///
    /// - Throws: ``LinkedDataError`` with a code of JSON-LD, of safe mode or of limits, and the path of the fault.
    public func expand(
        _ document: JSONValue,
        options: JSONLDOptions = .default
    ) throws(LinkedDataError) -> ExpandedDocument {
        var expander = Expander(options: options, contexts: contextProcessor(options))
        let nodes = try expander.expand(document)
        return ExpandedDocument(nodes, options: options, forms: expander.forms)
    }

    /// Expands a document, and gives its blank nodes names that each part of it has, too.
    func expand(
        _ document: JSONValue,
        options: JSONLDOptions,
        naming names: BlankNodeNames
    ) throws(LinkedDataError) -> ExpandedDocument {
        var expander = Expander(options: options, contexts: contextProcessor(options), names: names)
        return ExpandedDocument(try expander.expand(document), options: options)
    }

    /// Expands a document and converts it to RDF (section 9.1, `toRdf`).
    ///
    /// - Throws: ``LinkedDataError`` as of ``expand(_:options:)`` and ``ExpandedDocument/toRDF()``.
    public func toRDF(
        _ document: JSONValue,
        options: JSONLDOptions = .default
    ) throws(LinkedDataError) -> RDFDataset {
        try expand(document, options: options).toRDF()
    }

    /// The active context that a local context makes of the initial one (section 4.1).
    ///
    /// - Throws: ``LinkedDataError`` with a code of JSON-LD, of safe mode or of limits.
    public func activeContext(
        of local: JSONValue,
        options: JSONLDOptions = .default
    ) throws(LinkedDataError) -> ActiveContext {
        let contexts = contextProcessor(options)
        return try contexts.apply(local, to: contexts.initialContext())
    }

    /// Loads the contexts of the allow-list that a document needs and that are not at hand.
    ///
    /// Other faults of the document are not reported; ``expand(_:options:)`` does that.
    ///
    /// - Throws: ``LinkedDataError`` with the URL in its path and code
    ///   ``LinkedDataError/Code/loadingRemoteContextFailed`` for a URL that is not on the allow-list or without a
    ///   loader,
    ///   ``LinkedDataError/Code/contextRedirected``, ``LinkedDataError/Code/contextDigestMismatch`` or
    ///   ``LinkedDataError/Code/invalidRemoteContext``; `CancellationError` when the task is cancelled.
    public func loadContexts(for document: JSONValue, options: JSONLDOptions = .default) async throws {
        while let url = missingURL(of: document, options: options) {
            let context = try await load(url)
            loaded.withLock { $0[ExactText(url)] = context }
        }
    }

    /// The known digests of the context at a URL, or nil for an unknown context.
    func digests(ofContextAt url: ExactText) -> ResourceDigests? { registry.digests(at: url) }

    /// The context that a document does not expand without, and that is neither at hand nor on the allow-list; nil without
    /// one, and where a context of the allow-list has to be loaded first.
    func unknownContext(of document: JSONValue, options: JSONLDOptions) -> String? {
        missingURL(of: document, options: options).flatMap { registry.allowedDigest(at: $0) == nil ? $0 : nil }
    }

    /// Indicates that contexts of the allow-list can be loaded.
    var canLoadContexts: Bool { loader != nil }

    private func missingURL(of document: JSONValue, options: JSONLDOptions) -> String? {
        let contexts = contextProcessor(options)
        var expander = Expander(options: options, contexts: contexts)
        // A fault of the document ends the search; the caller meets it when it expands the document.
        _ = try? expander.expand(document)
        return contexts.missingURL
    }

    private func load(_ url: String) async throws -> ContextDocument {
        guard let sha256 = registry.allowedDigest(at: url), let loader else {
            throw LinkedDataError(.loadingRemoteContextFailed, "\(url) is not an allowed context", path: [url])
        }
        let answer: LoadedContext
        do {
            answer = try await loader.loadContext(at: url)
        } catch let error as CancellationError {
            throw error
        } catch let error as LinkedDataError {
            throw error
        } catch {
            throw LinkedDataError(.loadingRemoteContextFailed, "\(url) was not loaded", path: [url], cause: error)
        }
        guard answer.url.hasSameBytes(as: url) else {
            throw LinkedDataError(.contextRedirected, "\(url) was answered from \(answer.url)", path: [url])
        }
        do throws(LinkedDataError) {
            return try ContextDocument(answer.bytes, url: url, sha256: sha256)
        } catch {
            throw error.inside(url)
        }
    }

    private func contextProcessor(_ options: JSONLDOptions) -> ContextProcessor {
        ContextProcessor(options: options, cache: caches.current) { [self] url in
            let document = registry.document(at: url) ?? loaded.withLock { $0[ExactText(url)] }
            return caches.areSeparate ? document?.copied() : document
        }
    }
}

/// A document in expanded form: every term is an IRI, and nothing depends on a context any more (JSON-LD 1.1 API,
/// section 5.1).
public struct ExpandedDocument: Sendable {
    /// The node objects as a JSON array.
    public let value: JSONValue
    /// The options that the document was expanded with.
    public let options: JSONLDOptions
    /// The first places that have another form than the compacted one.
    let otherForms: [OtherForm]
    /// A property is named by an IRI, and has no term.
    let hasIRINames: Bool

    init(_ nodes: [JSONValue], options: JSONLDOptions, forms: OtherForms? = nil) {
        value = .array(nodes)
        self.options = options
        otherForms = forms?.found ?? []
        hasIRINames = forms?.hasIRINames ?? false
    }

    /// Returns `true` if a language tag has letters in upper case, whose form in RDF depends on the processor.
    var hasUppercaseLanguageTags: Bool {
        var pending = [JSONValue](pending: value)
        while let value = pending.popLast() {
            switch value {
            case .array(let elements): pending += elements
            case .object(let object):
                let tag = object["@language"]?.stringValue?.utf8
                if tag?.contains(where: (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) == true { return true }
                // A JSON literal is no part of the document's own structure.
                if object["@type"]?.stringValue != Keyword.json.rawValue {
                    for (_, value) in object { pending.append(value) }
                }
            default: break
            }
        }
        return false
    }

    /// The document with another form of its language tags.
    func with(languageTags: JSONLDOptions.LanguageTags) -> ExpandedDocument {
        var options = options
        options.languageTags = languageTags
        return ExpandedDocument(value.elements, options: options)
    }

    /// Converts the document to RDF (JSON-LD 1.1 API, section 8.1).
    ///
    /// Blank nodes get labels of the series `b0`, `b1` …
    ///
    /// - Throws: ``LinkedDataError`` in safe mode for everything that has no form in RDF; else for JSON literals without
    ///   a canonical form, nodes with two values of `@index`, and generalized RDF.
    public func toRDF() throws(LinkedDataError) -> RDFDataset { try toRDF(naming: nil) }

    /// Converts the document to RDF, where blank nodes have the names that its expansion gave them.
    func toRDF(naming names: BlankNodeNames?) throws(LinkedDataError) -> RDFDataset {
        guard !options.producesGeneralizedRDF else {
            throw LinkedDataError(.generalizedRDFNotSupported, "blank nodes cannot be predicates")
        }
        var converter = RDFConverter(options: options, names: names)
        return try converter.convert(value.elements)
    }
}
