import JSONKit
import VerificationCore

/// The circumstances of one run of the context processing algorithm.
struct ContextSettings {
    /// The URL that relative references to contexts are resolved against.
    var base: String?
    /// The remote contexts on the way to this one.
    var remoteContexts: [String] = []
    /// Protected terms may be redefined: in contexts of property definitions.
    var overridesProtected = false
    /// The context counts in nested nodes, too.
    var propagates = true
    /// The context stands in the document itself.
    var isEmbedded = false
    /// The context stands in a term and is read for its errors alone (`validate scoped context` is false).
    var isOnlyValidated = false

    /// Indicates that the context comes from a remote document, whose content is pinned.
    var isPinned: Bool { !remoteContexts.isEmpty }

    func key(refusesRedefinitions: Bool, mode: JSONLDOptions.ProcessingMode) -> UInt8 {
        (overridesProtected ? 1 : 0) | (propagates ? 2 : 0) | (isEmbedded ? 4 : 0) | (refusesRedefinitions ? 8 : 0)
            | (mode == .jsonLD10 ? 16 : 0) | (isPinned ? 32 : 0) | (isOnlyValidated ? 64 : 0)
    }
}

/// Makes active contexts for one document (JSON-LD 1.1 API, section 4.1).
final class ContextProcessor {
    let options: JSONLDOptions
    private let cache: ContextCache
    let document: (String) -> ContextDocument?
    /// The contexts that this document used so far, which the shared cache may have dropped.
    private var used: [ContextKey: ActiveContext] = [:]
    private var cost = ContextCost()
    /// The URL of the first context that was not at hand.
    var missingURL: String?
    /// Indicates that a later context of the document must not redefine a term.
    let refusesRedefinitions: Bool

    init(options: JSONLDOptions, cache: ContextCache, document: @escaping (String) -> ContextDocument?) {
        self.options = options
        self.cache = cache
        self.document = document
        refusesRedefinitions = options.safeMode?.acceptsRedefinitions == false
    }

    // MARK: Use

    /// The context that a document starts with.
    func initialContext() throws(LinkedDataError) -> ActiveContext {
        let key = ContextKey(parent: 0, content: .local(ContextKey.Text(Array((options.base ?? "").utf8))), settings: 0)
        let initial: ActiveContext
        if let known = cache[key] {
            initial = known
        } else {
            initial = ActiveContext(ContextState(originalBaseURL: options.base))
            cache.insert(initial, for: key)
        }
        guard let expandContext = options.expandContext else { return initial }
        return try apply(expandContext["@context"] ?? expandContext, to: initial)
    }

    /// Applies an `@context` of the document.
    func apply(_ local: JSONValue, to active: ActiveContext) throws(LinkedDataError) -> ActiveContext {
        let settings = ContextSettings(base: options.base, isEmbedded: true)
        return try counted(.local(content(local, base: options.base)), on: active, settings, local)
    }

    /// Applies the context of a term definition.
    func applyScoped(
        _ term: DefinedTerm,
        to active: ActiveContext,
        propagates: Bool,
        overridesProtected: Bool
    ) throws(LinkedDataError) -> ActiveContext {
        guard let local = term.definition.context else { return active }
        let settings = ContextSettings(
            base: term.definition.baseURL?.text,
            overridesProtected: overridesProtected,
            propagates: propagates
        )
        return try counted(.scoped(term.id), on: active, settings, local)
    }

    private func content(_ local: JSONValue, base: String?) -> ContextKey.Text {
        var bytes = local.encoded()
        if let base {
            bytes.append(0xff)
            bytes += base.utf8
        }
        return ContextKey.Text(bytes)
    }

    /// Applies a context of the document, and counts it.
    private func counted(
        _ content: ContextKey.Content,
        on active: ActiveContext,
        _ settings: ContextSettings,
        _ local: JSONValue
    ) throws(LinkedDataError) -> ActiveContext {
        let key = key(content, active, settings)
        if let context = used[key] { return context }
        let context = try cached(key) { () throws(LinkedDataError) in try process(local, from: active, settings) }
        used[key] = context
        try count(context.cost)
        return context
    }

    func key(
        _ content: ContextKey.Content,
        _ active: ActiveContext,
        _ settings: ContextSettings
    ) -> ContextKey {
        let settings = settings.key(refusesRedefinitions: refusesRedefinitions, mode: options.processingMode)
        return ContextKey(parent: active.id, content: content, settings: settings)
    }

    func cached(
        _ key: ContextKey,
        _ make: () throws(LinkedDataError) -> ActiveContext
    ) throws(LinkedDataError) -> ActiveContext {
        if let known = cache[key] { return known }
        let context = try make()
        cache.insert(context, for: key)
        return context
    }

    /// Counts the bytes of an IRI that was put together.
    func count(text: Int) throws(LinkedDataError) { try count(ContextCost(text: text)) }

    private func count(_ cost: ContextCost) throws(LinkedDataError) {
        self.cost += cost
        try self.cost.check(options.limits)
    }
}
