Feature: Resources of a plan

  Scenario: Data has an input
    Given I have terraform_data defined
    Then it must have input

  Scenario: Data has a label
    Given I have terraform_data defined
    Then it must have label

  Scenario: Inputs are a word
    Given I have terraform_data defined
    When it has input
    Then it must have input
    And its value must match the "^[a-z]+$" regex

  Scenario: Triggers are not there
    Given I have terraform_data defined
    Then it must not have triggers_replace

  Scenario: Things have a name and no size
    Given I have demo_thing defined
    Then it must have name
    And it must not have size

  Scenario: Nested blocks have a name
    Given I have demo_nested defined
    When it has rule
    Then it must have rule
    And it must have name

  Scenario: All resources have tags
    Given I have any resource defined
    Then it must have tags

  Scenario: Resources have a known id
    Given I have any resource defined
    When it has id
    Then it must have id
    And its value must be null

  Scenario: Nothing is named a
    Given I have any resource defined
    When its name is a
    Then it must not have input

  Scenario: Addresses of modules
    Given I have any resource defined
    When its address includes module
    Then it must not have input

  Scenario: Resources are created once
    Given I have any resource defined
    When its index is 1
    Then it must not have input

  Scenario: Data sources have a filter
    Given I have any data defined
    Then it must have filter

  Scenario: Variables have a value
    Given I have any variable defined
    Then it must have value

  Scenario: Variables have a description
    Given I have any variable defined
    Then it must have description

  Scenario: Outputs are not named so
    Given I have any output defined
    When its name is id
    Then it must not have value

  Scenario: Outputs are sensitive
    Given I have any output defined
    Then it must have sensitive
    And its value must be true

  Scenario: Modules are local
    Given I have any module defined
    Then it must have source

  Scenario: Modules are called with a name
    Given I have any module defined
    Then it must have name_of_none

  Scenario: Providers have a version
    Given I have any provider defined
    Then it must have version_constraint

  Scenario: Built-in provider
    Given I have terraform provider configured
    Then it must have alias
