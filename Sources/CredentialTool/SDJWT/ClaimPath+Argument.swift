import ArgumentParser
import JSONKit
import SDJWTKit

/// A claims path pointer on the command line: `["address", "locality"]`, or a bare name for a claim at the top.
struct ClaimPathArgument: ExpressibleByArgument, Sendable {
    let path: ClaimPath

    init?(argument: String) {
        guard argument.hasPrefix("[") else {
            path = [.name(argument)]
            return
        }
        do {
            path = try ClaimPath(json: JSONValue(parsing: argument))
        } catch {
            return nil
        }
    }
}
