import MdocKit

/// The common part of Handover Request and Handover Select messages (NFC Forum, Connection Handover 1.5).
struct HandoverMessage {
    /// The version that is written: 1.5.
    private static let version: UInt8 = 0x15

    let message: NDEFMessage
    /// The records within the handover record.
    let inner: NDEFMessage
    /// The alternative carriers with their configurations.
    let carriers: [(alternative: AlternativeCarrier, carrier: HandoverCarrier)]

    /// The deviations from the standards that were tolerated in reading it.
    private(set) var deviations: [MdocDeviation] = []

    /// Reads a message with a handover record of a type anywhere in it.
    init(
        _ message: NDEFMessage,
        type: StaticString,
        options: MdocReadingOptions,
        limits: NFCLimits
    ) throws(MdocError) {
        guard let record = try message.only(.wellKnown, type) else {
            throw MdocError(.malformedHandover, "the NDEF message has no record \(type)")
        }
        guard let version = record.payload.first else {
            throw MdocError(.malformedHandover, "the record \(type) is empty")
        }
        guard version >> 4 == Self.version >> 4 else {
            throw MdocError(.unsupportedVersion, "Connection Handover \(version >> 4) is not supported")
        }
        let inner = try NDEFMessage(decoding: record.payload.dropFirst(), limits: limits)
        self.message = message
        self.inner = inner
        try Self.requireNoError(inner)
        let alternatives = try Self.alternatives(inner)
        carriers = try Self.carriers(alternatives, in: message)
        if Set(alternatives.map(\.reference)).count < alternatives.count {
            var reading = Reading(options)
            try reading.tolerate(.repeatedCarrierID)
            deviations = reading.deviations
        }
    }

    /// Builds a message: the handover record, the carriers' configurations, then the auxiliary records.
    init(
        type: StaticString,
        leading: [NDEFRecord] = [],
        carriers: [HandoverCarrier],
        auxiliary: [NDEFRecord]
    ) throws(MdocError) {
        let ids = (carriers.map(\.id) + auxiliary.map(\.id))
        guard !carriers.isEmpty, Set(ids).count == ids.count, ids.allSatisfy({ (1...255).contains($0.count) }) else {
            throw MdocError(
                .malformedHandover,
                "a handover message has at least one carrier, each with an id of its own"
            )
        }
        var alternatives: [(alternative: AlternativeCarrier, carrier: HandoverCarrier)] = []
        for carrier in carriers {
            let alternative = AlternativeCarrier(
                powerState: carrier.powerState,
                reference: carrier.id,
                auxiliaryReferences: auxiliary.map(\.id)
            )
            alternatives.append((alternative, carrier))
        }
        var innerRecords = leading
        for (alternative, _) in alternatives { innerRecords.append(try alternative.record()) }
        inner = try NDEFMessage(innerRecords)
        var records = [try NDEFRecord(.wellKnown, type, payload: [Self.version] + inner.encodedBytes)]
        for carrier in carriers { records.append(try carrier.record()) }
        message = try NDEFMessage(records + auxiliary)
        self.carriers = alternatives
    }

    private static func alternatives(_ inner: NDEFMessage) throws(MdocError) -> [AlternativeCarrier] {
        var alternatives: [AlternativeCarrier] = []
        for record in inner.records {
            if let alternative = try AlternativeCarrier(record) { alternatives.append(alternative) }
        }
        guard !alternatives.isEmpty else { throw MdocError(.malformedHandover, "the handover message has no carrier") }
        return alternatives
    }

    /// The alternative carriers with the records that they name; where several name one id, in the order of both.
    private static func carriers(
        _ alternatives: [AlternativeCarrier],
        in message: NDEFMessage
    ) throws(MdocError) -> [(alternative: AlternativeCarrier, carrier: HandoverCarrier)] {
        var unclaimed: [[UInt8]: ArraySlice<NDEFRecord>] = [:]
        for reference in alternatives.map(\.reference) where unclaimed[reference] == nil {
            let named = alternatives.count(where: { $0.reference == reference })
            let found = message.records.filter { $0.id == reference && !reference.isEmpty }
            guard found.count == named else {
                throw MdocError(.malformedHandover, "\(found.count) records have the id that \(named) carriers name")
            }
            unclaimed[reference] = found[...]
        }
        var carriers: [(alternative: AlternativeCarrier, carrier: HandoverCarrier)] = []
        for alternative in alternatives {
            guard let configuration = unclaimed[alternative.reference]?.popFirst() else { continue }
            carriers.append((alternative, try HandoverCarrier(configuration, powerState: alternative.powerState)))
        }
        return carriers
    }

    /// A record `err` says that the other side cannot go on.
    private static func requireNoError(_ inner: NDEFMessage) throws(MdocError) {
        guard let error = inner.records.first(where: { $0.isOf(.wellKnown, "err") }) else { return }
        let reason = error.payload.first.map { "\($0)" } ?? "missing"
        throw MdocError(.handoverRefused, "the other side reports an error, reason \(reason)")
    }
}
