import JSONKit
import SDJWTKit
import TestSupport
import Testing

/// SD-JWTs made by others: those that the specifications print, and the rules of RFC 9901, chapter 7, one by one.
@Suite(.enabled(if: VectorSet("sdjwt").isAvailable, VectorSet.absence))
struct SDJWTVectorTests {
    @Test(arguments: VectorSet("sdjwt").files(withExtension: "json"))
    func file(_ file: VectorFile) throws {
        let content = try JSONValue(parsing: try file.bytes())
        if let cases = content["testcases"]?.arrayValue {
            for testcase in cases { try DraftTestcase(testcase).run() }
            file.report(ran: cases.count)
            return
        }
        guard let vectors = content["vectors"]?.arrayValue else {
            // An index lists files and holds no case.
            #expect(content["files"] != nil, "\(file.testDescription) has neither cases nor a list of files")
            file.report(ran: 0)
            return
        }
        var withoutReason: [(name: String, reason: String)] = []
        for vector in vectors {
            if vector["disclosure"] != nil {
                try DisclosureVector(vector).run()
            } else if vector["issuerPayload"] != nil {
                try SpecificationVector(vector, of: content).run()
            } else if let unexplained = try RuleVector(vector, of: content).run() {
                withoutReason.append((unexplained, "refused, but its reason is not one that this test knows"))
            }
        }
        file.report(ran: vectors.count, passedOver: withoutReason)
    }
}
