import Synchronization

/// The relying parties and the requestors that a server has at present.
///
/// A call uses the party that it finds: a change in the meantime does not touch it.
final class ServedParties: Sendable {
    private struct State {
        var parties: [String: any TransactionParty]
        var requestors: RequestorRegistry
    }

    private let state: Mutex<State>
    /// Indicates that there may be other parties, so that requestors may act for unknown ones.
    private let hasSource: Bool

    /// Takes the parties and requestors that a server starts with.
    ///
    /// - Parameter hasSource: Indicates that a source may have others.
    init(
        _ parties: [String: any TransactionParty],
        requestors: [TransactionRequestor],
        hasSource: Bool
    ) throws(TransactionError) {
        try ServerCheck.check(requestors, names: hasSource ? nil : Array(parties.keys))
        self.hasSource = hasSource
        state = Mutex(State(parties: parties, requestors: RequestorRegistry(requestors: requestors)))
    }

    /// The party of a name, or nil.
    subscript(name: String) -> (any TransactionParty)? { state.withLock { $0.parties[name] } }

    /// All parties.
    var all: [any TransactionParty] { state.withLock { Array($0.parties.values) } }

    /// The names of the parties.
    var names: [String] { state.withLock { $0.parties.keys.sorted() } }

    /// The requestors.
    var requestors: RequestorRegistry { state.withLock { $0.requestors } }

    /// Adds a party, in the place of one of the same name.
    func set(_ party: any TransactionParty, named name: String) {
        state.withLock { $0.parties[name] = party }
    }

    /// Replaces all parties.
    func replace(_ parties: [String: any TransactionParty]) {
        state.withLock { $0.parties = parties }
    }

    /// Removes the party of a name; `false` for an unknown name.
    func remove(named name: String) -> Bool {
        state.withLock { $0.parties.removeValue(forKey: name) != nil }
    }

    /// Replaces the requestors.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/invalidConfiguration``, and then nothing changes.
    func set(_ requestors: [TransactionRequestor]) throws(TransactionError) {
        let result = state.withLock { state -> Result<Void, TransactionError> in
            Result { () throws(TransactionError) in
                try ServerCheck.check(requestors, names: hasSource ? nil : Array(state.parties.keys))
                state.requestors = RequestorRegistry(requestors: requestors)
            }
        }
        try result.get()
    }
}

// MARK: Changes while the server runs

extension TransactionServer {
    /// The names of the relying parties that the server has at present, without those of a source, sorted.
    public var relyingPartyNames: [String] { parties.names }

    /// Serves a relying party from now on, in the place of one of the same name.
    ///
    /// Calls under way go on with the party that they found. The open transactions of a replaced party are those of the new one:
    /// its verifiers and its policy judge their responses. Requests are signed by the client that the link names, which
    /// ``RelyingParty/retiredClients`` of the new party has to list if its client is another. An earlier fixed key for responses
    /// stands in ``RelyingParty/retiredResponseKeys``.
    ///
    /// Processes that share a store each have their own parties: add one to all of them before a transaction starts, or give them
    /// a ``RelyingPartySource`` (``TransactionServices/relyingParties``). A party that is set here goes before one of the source.
    ///
    /// - Parameters:
    ///   - served: The relying party.
    ///   - name: The name that requestors use.
    /// - Throws: ``TransactionError/Code-swift.struct/invalidConfiguration`` for a party whose requests no wallet would take
    ///   from the host of ``url``, as at the start.
    public func setRelyingParty(_ served: ServedRelyingParty, named name: String) throws(TransactionError) {
        try ServerCheck.check([name: served], at: url)
        parties.set(RelyingPartyMessages(served), named: name)
    }

    /// Replaces all relying parties in one step, as after a change of the configuration.
    ///
    /// Those that are missing from the new ones are removed, as by ``removeRelyingParty(named:)``.
    ///
    /// - Parameter relyingParties: The relying parties, by the names that requestors use.
    /// - Throws: As ``setRelyingParty(_:named:)``, and then nothing changes.
    public func replaceRelyingParties(
        _ relyingParties: [String: ServedRelyingParty]
    ) throws(TransactionError) {
        try ServerCheck.check(relyingParties, at: url)
        parties.replace(relyingParties.mapValues { RelyingPartyMessages($0) })
    }

    /// Serves a relying party no longer.
    ///
    /// Its open transactions stay open until they expire or are cancelled, or a party of the name is back. Their links are answered
    /// like used ones, and no new one starts: ``TransactionError/Code-swift.struct/unknownRelyingParty``. Calls under way go on. The
    /// results of transactions that have ended can be fetched. A party of the name that a source has is served from then on.
    ///
    /// - Parameter name: The name.
    /// - Returns: `false` if the server has no such party.
    @discardableResult
    public func removeRelyingParty(named name: String) -> Bool { parties.remove(named: name) }

    /// Replaces the backends that may start transactions over HTTP.
    ///
    /// A transaction belongs to the requestor of the name that started it. One that is not among the new ones is refused from now
    /// on.
    ///
    /// - Parameter requestors: The requestors, all of them, for relying parties that the server has; for any, where it has a
    ///   ``RelyingPartySource``.
    /// - Throws: ``TransactionError/Code-swift.struct/invalidConfiguration``, and then nothing changes.
    public func replaceRequestors(_ requestors: [TransactionRequestor]) throws(TransactionError) {
        try parties.set(requestors)
    }
}
