import JSONKit
import VerificationCore

// The context processing algorithm (JSON-LD 1.1 API, section 4.1.2).
extension ContextProcessor {
    /// The context processing algorithm (section 4.1.2), and the check of contexts inside its terms.
    func process(
        _ local: JSONValue,
        from active: ActiveContext,
        _ settings: ContextSettings
    ) throws(LinkedDataError) -> ActiveContext {
        var settings = settings
        if case .object(let object) = local, case .bool(let propagates)? = object["@propagate"] {
            settings.propagates = propagates
        }
        var current = active
        if !settings.propagates, active.state.previousContext == nil {
            var state = active.state
            state.previousContext = active
            current = ActiveContext(state)
        }
        var cost = ContextCost()
        for (index, entry) in (local.arrayValue ?? [local]).enumerated() {
            let before = current.state.terms
            do throws(LinkedDataError) {
                current = try process(entry, on: current, settings, after: cost)
                cost += current.cost
                if !settings.isPinned {
                    cost += ContextCost(contexts: 1, terms: current.state.terms.count)
                    try cost.check(options.limits)
                }
                if refusesRedefinitions, settings.isEmbedded, !settings.isPinned {
                    try Self.refuseRedefinition(before, current.state.terms)
                }
            } catch {
                throw local.arrayValue == nil ? error : error.inside("[\(index)]")
            }
        }
        return ActiveContext(current.state, cost: cost)
    }

    /// Processes one entry of a local context (step 5).
    ///
    /// - Parameter cost: The work of the entries before it.
    private func process(
        _ entry: JSONValue,
        on active: ActiveContext,
        _ settings: ContextSettings,
        after cost: ContextCost
    ) throws(LinkedDataError) -> ActiveContext {
        switch entry {
        case .null:
            guard settings.overridesProtected || !active.state.hasProtectedTerms else {
                throw LinkedDataError(.invalidContextNullification, "null removes protected terms")
            }
            var state = ContextState(originalBaseURL: active.state.originalBaseURL)
            state.previousContext = settings.propagates ? nil : active.state.previousContext
            return ActiveContext(state)
        case .string(let reference):
            let url = settings.base.map { IRIReference.resolve(reference, against: $0) } ?? reference
            guard !settings.isPinned else { return try processRemote(url, on: active, settings) }
            // The same few contexts begin nearly all documents.
            let key = key(.remote(ContextKey.Text(Array(url.utf8))), active, settings)
            return try cached(key) { () throws(LinkedDataError) in try processRemote(url, on: active, settings) }
        case .object(let object):
            let builder = try processObject(object, on: active.state, settings, after: cost)
            return ActiveContext(builder.state, cost: try validateScopedContexts(of: builder, settings, after: cost))
        default: throw LinkedDataError(.invalidLocalContext, "a context is neither an object, a string nor null")
        }
    }

    private func processRemote(
        _ url: String,
        on active: ActiveContext,
        _ settings: ContextSettings
    ) throws(LinkedDataError) -> ActiveContext {
        if settings.remoteContexts.contains(where: { $0.hasSameBytes(as: url) }) {
            // A term of a context may have that context itself, which comes to apply only where the term is used.
            guard !settings.isOnlyValidated else { return active }
            throw LinkedDataError(.contextOverflow, "\(url) includes itself")
        }
        let most = min(options.limits.remoteContexts, JSONLDLimits.maximumRemoteContexts)
        guard settings.remoteContexts.count < most else {
            throw LinkedDataError(.contextOverflow, "more than \(most) remote contexts lead to \(url)")
        }
        let document = try remoteDocument(at: url)
        var inner = settings
        inner.base = document.url
        inner.remoteContexts.append(url)
        do throws(LinkedDataError) {
            return try process(document.context, from: active, inner)
        } catch {
            throw error.inside(url)
        }
    }

    private func remoteDocument(at url: String) throws(LinkedDataError) -> ContextDocument {
        if let document = document(url) { return document }
        missingURL = missingURL ?? url
        throw LinkedDataError(.loadingRemoteContextFailed, "the context \(url) is not at hand", path: [url])
    }

    private func processObject(
        _ object: JSONObject,
        on state: ContextState,
        _ settings: ContextSettings,
        after cost: ContextCost
    ) throws(LinkedDataError) -> ContextBuilder {
        var object = object
        if let reference = object["@import"] {
            try refuseIn10("@import")
            guard case .string(let reference) = reference else {
                throw LinkedDataError(.invalidImportValue, "@import is not a string", path: ["@import"])
            }
            let url = settings.base.map { IRIReference.resolve(reference, against: $0) } ?? reference
            guard case .object(var imported) = try remoteDocument(at: url).context else {
                throw LinkedDataError(.invalidRemoteContext, "the context at \(url) is not an object", path: [url])
            }
            guard imported["@import"] == nil else {
                throw LinkedDataError(.invalidContextEntry, "an imported context imports another", path: [url])
            }
            for (name, value) in object { imported[name] = value }
            object = imported
        }
        var builder = ContextBuilder(object, state: state, settings: settings, options: options, after: cost)
        try builder.build()
        return builder
    }

    private func refuseIn10(_ keyword: String) throws(LinkedDataError) {
        guard options.processingMode == .jsonLD11 else {
            throw LinkedDataError(.invalidContextEntry, "\(keyword) is not part of JSON-LD 1.0", path: [keyword])
        }
    }

    /// Processes the contexts inside term definitions for their errors alone (section 4.2.2, step 21.3), and returns
    /// the work of the whole context.
    ///
    /// Those inside them come up in turn from a list, not by recursion.
    private func validateScopedContexts(
        of builder: ContextBuilder,
        _ settings: ContextSettings,
        after before: ContextCost
    ) throws(LinkedDataError) -> ContextCost {
        var inner = ContextSettings(base: settings.base, remoteContexts: settings.remoteContexts)
        inner.overridesProtected = true
        inner.isOnlyValidated = true
        var pending = [builder]
        var cost = builder.cost
        while let builder = pending.popLast() {
            for (name, context) in builder.scopedContexts {
                cost += ContextCost(contexts: 1, terms: builder.state.terms.count)
                if !settings.isPinned { try (before + cost).check(options.limits) }
                do throws(LinkedDataError) {
                    let (builders, inside) = try validate(context, on: builder.state, inner, after: before + cost)
                    cost += inside
                    pending += builders
                } catch {
                    guard error.code != .loadingRemoteContextFailed, error.code != .limitExceeded else { throw error }
                    let path = [name, "@context"] + error.path
                    throw LinkedDataError(
                        .invalidScopedContext,
                        "a term's context is invalid",
                        path: path,
                        cause: error
                    )
                }
            }
        }
        return settings.isPinned ? ContextCost() : cost
    }

    /// Processes a context, and returns what holds the contexts inside it, and the work beside that of its first entry.
    private func validate(
        _ local: JSONValue,
        on state: ContextState,
        _ settings: ContextSettings,
        after before: ContextCost
    ) throws(LinkedDataError) -> (builders: [ContextBuilder], cost: ContextCost) {
        var current = ActiveContext(state)
        var found: [ContextBuilder] = []
        var cost = ContextCost()
        for (index, entry) in (local.arrayValue ?? [local]).enumerated() {
            if index > 0, !settings.isPinned {
                cost += ContextCost(contexts: 1, terms: current.state.terms.count)
                try (before + cost).check(options.limits)
            }
            if case .object(let object) = entry {
                let builder = try processObject(object, on: current.state, settings, after: before + cost)
                cost += builder.cost
                current = ActiveContext(builder.state)
                found.append(builder)
            } else {
                current = try process(entry, on: current, settings, after: before + cost)
            }
        }
        return (found, cost)
    }

    /// Refuses terms that another context of the document defined otherwise.
    private static func refuseRedefinition(
        _ before: [ExactText: DefinedTerm],
        _ after: [ExactText: DefinedTerm]
    ) throws(LinkedDataError) {
        for (name, term) in before {
            let redefined = after[name]
            guard redefined === term || redefined?.definition.isSame(as: term.definition) == true else {
                throw LinkedDataError(
                    .termRedefinition,
                    "a later context changes the meaning of \(name)",
                    path: [name.text]
                )
            }
        }
    }
}
