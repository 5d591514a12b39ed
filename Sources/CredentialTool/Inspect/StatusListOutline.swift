import CBORKit
import CommandSupport
import JSONKit
import StatusListKit

/// Outlines of status lists, of which nothing is verified (Token Status List, sections 4 and 5).
enum StatusListOutline {
    /// `typ` of a token in JWT form.
    static let jwtType = "statuslist+jwt"
    /// The type of a token in CWT form.
    static let cwtType = StatusListToken.Form.cwt.rawValue

    /// The largest number of listed indices of each status.
    private static let mostIndices = 20

    /// The list in a claim of JSON.
    static func outline(json claim: JSONValue?) -> Outline {
        guard let claim else { return "missing" }
        do {
            return try outline(StatusListClaim(json: claim))
        } catch {
            return .text("not readable: \(error)")
        }
    }

    /// The list in a claim of CBOR.
    static func outline(cbor claim: CBORView?) -> Outline {
        guard let claim else { return "missing" }
        do {
            return try outline(StatusListClaim(cbor: claim))
        } catch {
            return .text("not readable: \(error)")
        }
    }

    private static func outline(_ claim: StatusListClaim) throws -> Outline {
        let list = claim.list
        return .fields([
            "bits": .number(list.bits.rawValue),
            "entries": .number(list.count),
            "statuses": .fields(try statuses(of: list)),
            "aggregation_uri": claim.aggregationURI.map { .verbatim($0) },
        ])
    }

    /// The number of occurrences of each status, with indices for all but valid.
    private static func statuses(of list: StatusList) throws -> [(name: String, value: Outline)] {
        var counts = [Int](repeating: 0, count: 256)
        var places = [[Int]](repeating: [], count: 256)
        for index in 0..<list.count {
            let status = try list.status(at: index)
            let number = Int(status.rawValue)
            counts[number] += 1
            if status != .valid, places[number].count < mostIndices { places[number].append(index) }
        }
        return counts.indices.filter { counts[$0] > 0 }.map { number in
            (name: StatusType(rawValue: UInt8(number)).description, value: .text(line(counts[number], places[number])))
        }
    }

    private static func line(_ count: Int, _ places: [Int]) -> String {
        guard !places.isEmpty else { return "\(count)" }
        let rest = count > places.count ? ", …" : ""
        return "\(count) at \(places.map(String.init).joined(separator: ", "))\(rest)"
    }
}
