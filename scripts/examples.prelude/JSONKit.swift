@_spi(Layers) import JSONKit

struct SomeConfirmation: Codable {}

let document: JSONDocument = given()
let confirmation = SomeConfirmation()

func read(_ range: Range<Int>) {}
