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
        guard let json = try? JSONValue(parsing: argument), let path = try? ClaimPath(json: json) else { return nil }
        self.path = path
    }
}
