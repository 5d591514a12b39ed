import CBORKit
public import CryptoCore
public import MdocKit

/// An entry of a trust list.
protocol TrustListEntry {
    /// Reads the entry.
    init(_ view: CBORView, index: Int, _ reading: inout Reading, _ limits: TrustListLimits) throws(MdocError)
}

extension TrustListEntry {
    /// Reads `certificateInfos`; unreadable entries are skipped, so that one faulty certificate does not remove the
    /// trust in all others.
    static func readAll(
        _ view: CBORView,
        _ options: TrustListReadingOptions
    ) throws(MdocError) -> (entries: [Self], unreadable: [UnreadableTrustListEntry]) {
        let array = try cbor(view.array())
        let limits = options.limits
        guard array.count <= limits.entries else {
            throw MdocError(.limitExceeded, "\(array.count) entries exceed the limit of \(limits.entries)", at: view)
        }
        let readingOptions = options.reading
        var entries: [Self] = []
        var unreadable: [UnreadableTrustListEntry] = []
        entries.reserveCapacity(array.count)
        for (index, element) in array.enumerated() {
            var reading = Reading(readingOptions)
            do throws(MdocError) {
                entries.append(try Self(element, index: index, &reading, limits))
            } catch {
                let certificate = Self.certificate(of: element)
                unreadable.append(UnreadableTrustListEntry(index: index, certificate: certificate, error: error))
            }
        }
        return (entries, unreadable)
    }

    /// The certificate of an entry that cannot be read as a whole; nil if it cannot be read either.
    ///
    /// No limit for its size applies: a caller has to recognize it in a chain.
    private static func certificate(of entry: CBORView) -> Certificate? {
        do {
            return try Certificate(der: try entry.map().required("certificate").bytes())
        } catch {
            return nil
        }
    }
}

/// An entry of a trust list that was skipped, since its certificate cannot be read or a member is wrong.
public struct UnreadableTrustListEntry: Sendable {
    /// The entry's place in the list, counted from 0.
    public let index: Int
    /// The certificate of the entry; nil if it cannot be read.
    public let certificate: Certificate?
    /// The error in the entry.
    public let error: MdocError
}
