import COSEKit
import TestSupport
import Testing

@Suite struct COSEVectorTests {
    static let set = VectorSet("cose")

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: set.files(withExtension: "json"))
    func everyFileOfTheSet(file: VectorFile) throws {
        if file.path == "extra_sign1.json" { try file.decode(Sign1Vectors.self).run(file) }
    }
}
